import { materialReader } from '#shared/adaptation/decide/row-material.ts';
import { readCells } from '#shared/adaptation/decide/row-program.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { sampleRows, seededRandom } from '#shared/runs/decide/sample-rows.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { type RowsChunk, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { type SampleCandidate, stratifiedSample } from './decide/sample.ts';

/** Chunks and rows that a sample is drawn from: enough to know how the rows differ, and read within a minute. */
const CHUNKS_READ_MAX = 20;
const CANDIDATES_MAX = 5000;
/** Beginning of a row by which its language and topic are known. */
const TEXT_CHARACTERS = 2000;

export interface DrawnSample {
  /** Indexes in the dataset, in the order in which the arms take them. */
  readonly rows: readonly number[];
}

/**
 * Draws the sample of a pilot and writes it: `pilotSample` has the rows as lines, `pilotRows` their indexes in the
 * dataset. The order is random, so that the first look sees rows of all strata. The same run draws the same rows.
 */
export async function drawSample(
  objects: ObjectStore,
  { run_id: runId, dataset_id: datasetId }: RunContext,
  count: number,
  specification: AdaptationSpecification,
): Promise<DrawnSample> {
  const manifest = await readJson(objects, objectKeys.manifest(datasetId), RowsManifest);
  const candidates = await readCandidates(objects, manifest.chunks, specification, runId);
  const usable = candidates.filter(({ isUsable }) => isUsable);
  const drawn = new Set(stratifiedSample(usable, count, runId));
  // Rows with nothing to adapt come in where the others are too few.
  for (const { row } of candidates) if (drawn.size < count) drawn.add(row);
  const sample = shuffled(
    candidates.filter(({ row }) => drawn.has(row)),
    runId,
  );
  const rows = sample.map(({ row }) => row);
  await objects.write(
    objectKeys.pilotSample(runId),
    sample.map(({ line }) => `${line}\n`).join(''),
    'application/jsonl',
  );
  await objects.write(objectKeys.pilotRows(runId), JSON.stringify({ rows }), 'application/json');
  return { rows };
}

interface Candidate extends SampleCandidate {
  readonly line: string;
  /** Whether the row has something to adapt. */
  readonly isUsable: boolean;
}

async function readCandidates(
  objects: ObjectStore,
  chunks: readonly RowsChunk[],
  specification: AdaptationSpecification,
  seed: string,
): Promise<Candidate[]> {
  const reader = materialReader(specification);
  const detectLanguage = await loadLanguageDetector();
  const read = sampleRows(chunks.length, CHUNKS_READ_MAX, `${seed} chunks`).flatMap(
    (place) => chunks[place] ?? [],
  );
  const total = read.reduce((sum, chunk) => sum + chunk.row_count, 0);
  const wanted = new Set(sampleRows(total, CANDIDATES_MAX, `${seed} candidates`));
  const candidates: Candidate[] = [];
  let passed = 0;
  for (const chunk of read) {
    const lines = await readLines(objects, chunk.key);
    for (const [place, line] of lines.entries()) {
      if (!wanted.has(passed + place)) continue;
      const material = reader.read(readCells(line, reader.columns));
      const isUsable = !('skip' in material);
      const whole = isUsable ? `${material.prompt}\n${material.completion}` : '';
      const text = whole.slice(0, TEXT_CHARACTERS);
      candidates.push({
        row: chunk.first_row + place,
        line,
        isUsable,
        characters: whole.length,
        language: detectLanguage(text),
        text,
      });
    }
    passed += chunk.row_count;
  }
  return candidates;
}

/** Fisher and Yates, with the seed's random numbers. */
function shuffled<T>(items: readonly T[], seed: string): T[] {
  const random = seededRandom(`${seed} order`);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}

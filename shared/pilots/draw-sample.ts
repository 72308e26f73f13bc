import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { sampleRows, seededRandom } from '#shared/runs/decide/sample-rows.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { type RowsChunk, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { type SampleCandidate, stratifiedSample } from './decide/sample.ts';

/** Chunks that a sample is drawn from: enough to know how rows differ, and more only where they hold few rows. */
const CHUNKS_READ_MIN = 20;
const CHUNKS_READ_MAX = 60;
const CANDIDATES_MAX = 5000;
/** Characters of a row by which its language is known. */
const LANGUAGE_CHARACTERS = 2000;
/** Bytes of a sample: workers and steps hold what all arms made of it. Longer rows are left out. */
const SAMPLE_BYTES_MAX = 4 * 1024 * 1024;

export interface DrawnSample {
  /** Indexes in the dataset, in the order in which the arms take them. */
  readonly rows: readonly number[];
}

/** The run of a pilot, and the manifest of its rows. */
export type DrawingRun = RunContext & Pick<RunRecord, 'manifest_key'>;

/**
 * Draws the sample of a pilot and writes it: `pilotSample` has the rows as lines, `pilotRows` their indexes in the
 * dataset. The order is random. The same run draws the same rows. It may draw fewer than
 * `count`, where the others are too long.
 * @throws {ServiceError} `dataset_too_large` if all rows are too long
 */
export async function drawSample(
  objects: ObjectStore,
  { run_id: runId, dataset_id: datasetId, manifest_key: key }: DrawingRun,
  count: number,
  specification: AdaptationSpecification,
): Promise<DrawnSample> {
  const manifest = await readJson(objects, key ?? objectKeys.manifest(datasetId), RowsManifest);
  const candidates = await readCandidates(objects, manifest.chunks, specification, { count, seed: runId });
  if (candidates.length === 0) {
    throw new ServiceError(
      'dataset_too_large',
      `A pilot of ${count} rows takes rows of up to ${Math.floor(SAMPLE_BYTES_MAX / count / 1024)} KiB, and found none. Send fewer sample_rows, or adapt the dataset without a pilot.`,
    );
  }
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
  { count, seed }: { readonly count: number; readonly seed: string },
): Promise<Candidate[]> {
  const reader = materialReader(specification);
  const detectLanguage = await loadLanguageDetector();
  const read = chunksToRead(chunks, count, seed);
  const total = read.reduce((sum, chunk) => sum + chunk.row_count, 0);
  const wanted = new Set(sampleRows(total, CANDIDATES_MAX, `${seed} candidates`));
  const candidates: Candidate[] = [];
  let passed = 0;
  for (const chunk of read) {
    const lines = await readLines(objects, chunk.key);
    for (const [place, line] of lines.entries()) {
      if (!wanted.has(passed + place) || Buffer.byteLength(line) > SAMPLE_BYTES_MAX / count) continue;
      const material = reader.read(readCells(line, reader.columns));
      const isUsable = !('skip' in material);
      const whole = isUsable ? `${material.prompt}\n${material.completion}` : '';
      candidates.push({
        row: chunk.first_row + place,
        line,
        isUsable,
        characters: whole.length,
        language: detectLanguage(whole.slice(0, LANGUAGE_CHARACTERS)),
      });
    }
    passed += chunk.row_count;
  }
  return candidates;
}

/** Random chunks in the order of the dataset, with at least `rows` rows if so many chunks have them. */
function chunksToRead(chunks: readonly RowsChunk[], rows: number, seed: string): RowsChunk[] {
  const taken: RowsChunk[] = [];
  let held = 0;
  for (const chunk of shuffled(chunks, `${seed} chunks`)) {
    if (taken.length >= CHUNKS_READ_MAX || (taken.length >= CHUNKS_READ_MIN && held >= rows)) break;
    taken.push(chunk);
    held += chunk.row_count;
  }
  return taken.sort((a, b) => a.first_row - b.first_row);
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

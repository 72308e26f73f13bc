import { CALL_SECONDS_ASSUMED } from '../domain/adaptation/quote.ts';
import { readCells } from '../domain/adaptation/row-program.ts';
import { sampleRows } from '../domain/evaluation/sample-rows.ts';
import { askedTexts } from '../domain/pool/asked-texts.ts';
import {
  AUGMENTATION_COLUMNS,
  AugmentRunRequest,
  type ExampleRow,
  type PoolSearch,
} from '../domain/pool/augment-request.ts';
import { readLoads, rowCountOf, shardsOf } from '../domain/pool/pool.ts';
import { WRITE_SIMILAR_VERSION } from '../domain/pool/prompts/write-similar.v1.ts';
import { divideRows, findTopics } from '../domain/pool/topics.ts';
import { stretchRows, workforceOf } from '../domain/runs/plan.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { RowsManifest } from '../schema/rows-manifest.ts';
import type { RunContext, SearchPlan, ShardPlace, SimilarPlan } from '../schema/run-context.ts';
import { type CombineRowsPorts, openSource, takeRows } from './combine-rows.ts';
import { type EmbedTextsPorts, embedTexts } from './embed-texts.ts';
import { readJson, readLines, writeLines } from './json-objects.ts';
import { withColumns } from './take-source.ts';

export interface PlanAugmentationPorts
  extends Pick<CombineRowsPorts, 'datasets' | 'writeRows'>,
    EmbedTextsPorts {
  readonly objects: CombineRowsPorts['objects'] & Pick<ObjectStore, 'read' | 'write' | 'list'>;
  readonly runs: Pick<RunRepository, 'find' | 'recordPlan'>;
  readonly modelConcurrency: number;
  /** Model id by role, as they will serve this run. */
  readonly models: Readonly<Record<string, string>>;
}

export interface PlannedStage {
  readonly plan_key: string;
  readonly chunk_count: number;
  readonly max_concurrency: number;
}

/** Rows by which the topics of a dataset are told. */
const SAMPLE_ROWS = 512;
/** Rows of the source of which each new one in its style is shown some. */
const EXAMPLES_MAX = 128;
/** Shards of one worker: fifty thousand rows, whose vectors of 384 floats fill 77 MB. */
const SHARDS_TOGETHER = 50;
/** Workers that search at once. Each reads its shards and is done within seconds. */
const SEARCHERS_MAX = 100;
/** For each row that is wanted so many are looked for, as some repeat others. */
const CANDIDATES_PER_ROW = 2;
/** Of those that are drawn, the part that is farther from the dataset's topics is taken. */
const DRAWN_PER_ROW = 2.5;
const CANDIDATES_MORE = 64;
/** Rows that are asked of a model for each hundred that are wanted. */
const SIMILAR_PER_HUNDRED = 130;
const SIMILAR_MORE = 4;

/**
 * Takes the rows of the source over, as its download shows them, tells their topics by a sample, and plans what is
 * looked for in which shards of the pool and what a model is to write. Holds a chunk. Safe to repeat.
 * @throws {ServiceError} `run_interrupted` when the source or the run is gone, `topics_unknown` where no row says what
 * it asks, `model_unavailable`
 */
export async function planAugmentation(
  ports: PlanAugmentationPorts,
  context: RunContext,
): Promise<{ search: PlannedStage; similar: PlannedStage }> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), AugmentRunRequest);
  const source = await openSource(ports, context, request.source);
  const columns = withColumns(source.shape.columns, [...pairColumns(request), ...AUGMENTATION_COLUMNS]);
  const taken = await takeRows(ports, (n) => objectKeys.rows(datasetId, n), source, columns);
  await objects.write(objectKeys.combined(runId, 0), JSON.stringify(taken), 'application/json');

  const sample = await readSample(objects, taken, request);
  if (sample.length === 0) {
    throw new ServiceError(
      'topics_unknown',
      'No row of the dataset has a prompt, so no pool rows can be found.',
    );
  }
  const groups = await planSearch(ports, context, request, sample);
  const workforce = workforceOf(ports.modelConcurrency);
  const similar = await planSimilar(ports, context, request, sample, groups.length);
  const isActive = await ports.runs.recordPlan(datasetId, runId, {
    total_rows: request.domain_rows + request.general_rows + request.similar_rows,
    models: { ...ports.models },
    prompt_versions: similar.length === 0 ? {} : { similar: WRITE_SIMILAR_VERSION },
  });
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before it was planned.');
  return {
    search: {
      plan_key: objectKeys.plan(runId),
      chunk_count: groups.length,
      max_concurrency: Math.max(1, Math.min(SEARCHERS_MAX, groups.length)),
    },
    similar: {
      plan_key: objectKeys.similarPlan(runId),
      chunk_count: similar.length,
      max_concurrency: workforce.workers,
    },
  };
}

/** The columns of a pair, where the source has none. */
function pairColumns({ training_type, mapping }: AugmentRunRequest): { name: string; type: string }[] {
  if (training_type !== 'preference_pairs') return [];
  return [mapping.chosen ?? 'chosen', mapping.rejected ?? 'rejected'].map((name) => ({
    name,
    type: 'VARCHAR',
  }));
}

/** Rows of the source that say what they ask, drawn evenly: the same every time. */
async function readSample(
  objects: Pick<ObjectStore, 'read'>,
  { chunks, row_count: rowCount }: Pick<RowsManifest, 'chunks' | 'row_count'>,
  request: AugmentRunRequest,
): Promise<ExampleRow[]> {
  const { mapping, source } = request;
  const rows = sampleRows(rowCount, Math.min(rowCount, SAMPLE_ROWS), `augment ${source.dataset_id}`);
  const answer = mapping.completion ?? mapping.chosen;
  const sample: ExampleRow[] = [];
  let next = 0;
  for (const { key, first_row: first, row_count: count } of chunks) {
    if ((rows[next] ?? Number.POSITIVE_INFINITY) >= first + count) continue;
    const lines = await readLines(objects, key);
    for (let row = rows[next]; row !== undefined && row < first + count; row = rows[next]) {
      next += 1;
      const line = lines[row - first] as string;
      const [prompt] = askedTexts(line, request);
      if (prompt === undefined) continue;
      const completion = answer === undefined ? null : readCells(line, [answer]).get(answer);
      sample.push({ prompt, completion: completion ?? '' });
    }
  }
  return sample;
}

async function planSearch(
  ports: PlanAugmentationPorts,
  context: RunContext,
  request: AugmentRunRequest,
  sample: readonly ExampleRow[],
): Promise<SearchPlan[]> {
  const { objects } = ports;
  const { run_id: runId } = context;
  const wanted = request.domain_rows + request.general_rows;
  if (wanted === 0) return [];
  const { model, vectors } = await embedTexts(
    ports,
    sample.map(({ prompt }) => prompt),
  );
  const shards = shardsOf(await readLoads(objects), model, request.training_type === 'preference_pairs');
  const poolRows = rowCountOf(shards);
  if (poolRows === 0) {
    throw new ServiceError('not_available_yet', 'The curated pool was removed before it was searched.');
  }
  // A pool that holds little more than is wanted is looked at whole.
  const isSmall = 2 * wanted >= poolRows;
  const withMore = (rows: number, perRow: number): number =>
    isSmall ? poolRows : Math.min(poolRows, Math.ceil(rows * perRow) + CANDIDATES_MORE);
  const topics = findTopics(vectors, request.source.dataset_id);
  const parts = divideRows(
    request.domain_rows,
    topics.map(({ share }) => share),
  );
  const search: PoolSearch = {
    model,
    topics: topics.map(({ centre }, n) => ({
      centre: [...centre],
      rows: parts[n] as number,
      candidates: parts[n] === 0 ? 0 : withMore(parts[n] as number, CANDIDATES_PER_ROW),
    })),
    pool_rows: poolRows,
    drawn: request.general_rows === 0 ? 0 : withMore(request.general_rows, DRAWN_PER_ROW),
    seed: `${request.source.dataset_id} general`,
  };
  await objects.write(objectKeys.topics(runId), JSON.stringify(search), 'application/json');
  const plan: SearchPlan[] = [];
  let firstRow = 0;
  for (let at = 0; at < shards.length; at += SHARDS_TOGETHER) {
    const group: ShardPlace[] = shards.slice(at, at + SHARDS_TOGETHER);
    plan.push({ ...context, n: plan.length, shards: group, first_row: firstRow });
    firstRow += rowCountOf(group);
  }
  await writeLines(objects, objectKeys.plan(runId), plan);
  return plan;
}

async function planSimilar(
  { objects, modelConcurrency }: PlanAugmentationPorts,
  context: RunContext,
  { similar_rows: wanted, source }: AugmentRunRequest,
  sample: readonly ExampleRow[],
  firstNumber: number,
): Promise<SimilarPlan[]> {
  if (wanted === 0) return [];
  const answered = sample.filter(({ completion }) => completion.trim() !== '');
  if (answered.length === 0) {
    throw new ServiceError(
      'nothing_to_add',
      'No row of the dataset has an answer that similar rows could follow.',
    );
  }
  const shown = sampleRows(
    answered.length,
    Math.min(answered.length, EXAMPLES_MAX),
    `examples ${source.dataset_id}`,
  );
  await writeLines(
    objects,
    objectKeys.examples(context.run_id),
    shown.map((at) => answered[at]),
  );
  const rows = Math.ceil((wanted * SIMILAR_PER_HUNDRED) / 100) + SIMILAR_MORE;
  const rowsMax = stretchRows(CALL_SECONDS_ASSUMED, workforceOf(modelConcurrency), rows);
  const plan: SimilarPlan[] = [];
  for (let first = 0; first < rows; first += rowsMax) {
    const n = firstNumber + plan.length;
    plan.push({ ...context, n, first_row: first, row_count: Math.min(rowsMax, rows - first) });
  }
  await writeLines(objects, objectKeys.similarPlan(context.run_id), plan);
  return plan;
}

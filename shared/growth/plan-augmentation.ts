import { CALL_SECONDS_ASSUMED } from '#shared/adaptation/decide/quote.ts';
import { LabelLearner } from '#shared/answers/decide/label-learner.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { UNRELATED_TEXT } from '#shared/judging/decide/metrics.ts';
import { type EmbedTextsPorts, embedTexts } from '#shared/models/embed-texts.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { batchRows, workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { sampleRows } from '#shared/runs/decide/sample-rows.ts';
import {
  type RunContext,
  type SearchPlan,
  type ShardPlace,
  type WritingPlan,
  WrittenKind,
} from '#shared/runs/schema/run-context.ts';
import { commonType } from '#shared/tabular/decide/common-type.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { type CombineRowsPorts, openSource, takeRows } from './combine-rows.ts';
import { castColumn } from './decide/combine/reconcile.ts';
import {
  AUGMENTATION_COLUMNS,
  AugmentRunRequest,
  countRows,
  type ExampleRow,
  type PoolSearch,
  textColumns,
  wantedRows,
  writtenRows,
} from './decide/pool/augment-request.ts';
import { readLoads, rowCountOf, shardsOf } from './decide/pool/pool.ts';
import { WRITE_GENERAL_VERSION } from './decide/pool/prompts/write-general.v1.ts';
import { WRITE_SIMILAR_VERSION } from './decide/pool/prompts/write-similar.v3.ts';
import {
  aboutText,
  examplesOfShape,
  type RowShape,
  readRow,
  shapeOf,
  withTextBehind,
} from './decide/pool/row-request.ts';
import { divideRows, findTopics, nearnessOf } from './decide/pool/topics.ts';
import { SEARCHERS_MAX } from './schema/augment.ts';
import { withColumns } from './take-source.ts';

export interface PlanAugmentationPorts
  extends Pick<CombineRowsPorts, 'datasets' | 'writeRows'>,
    EmbedTextsPorts {
  readonly objects: CombineRowsPorts['objects'] & Pick<ObjectStore, 'read' | 'write' | 'list'>;
  readonly runs: Pick<RunRepository, 'find' | 'recordPlan'>;
  readonly modelConcurrency: number;
  /** Model id by role, as used in this run. */
  readonly models: Readonly<Record<string, string>>;
}

export interface PlannedStage {
  readonly plan_key: string;
  readonly chunk_count: number;
  readonly max_concurrency: number;
}

/** Number of sample rows for finding a dataset's topics. */
const SAMPLE_ROWS = 512;
/** Bytes of the rows that are sampled: what is left out of longer ones is no more than a smaller sample. */
const SAMPLE_BYTES_MAX = 32 * 1024 * 1024;
/** Number of source rows from which examples for new rows are chosen. */
const EXAMPLES_MAX = 128;
/** Shards of one worker: fifty thousand rows, whose vectors of 384 floats fill 77 MB. */
const SHARDS_TOGETHER = 50;
/** Candidates for each requested row, because some are duplicates. */
const CANDIDATES_PER_ROW = 2;
/** Rows for which a topic has candidates in place of topics that the pool lacks. */
const FILLING_MAX = 5_000;
/** Random candidates for each requested row; those farthest from the dataset's topics are used. */
const DRAWN_PER_ROW = 2.5;
const CANDIDATES_MORE = 64;
/** Rows that are asked of a model for each hundred that are wanted. */
const WRITTEN_PER_HUNDRED = 130;
const WRITTEN_MORE = 4;
const WRITTEN_VERSIONS: Readonly<Record<WrittenKind, string>> = {
  similar: WRITE_SIMILAR_VERSION,
  general: WRITE_GENERAL_VERSION,
};

/**
 * Copies the rows of the source's download, finds their topics from a sample, and plans the searches in the pool's
 * shards and the rows to generate. Holds a chunk. Idempotent.
 * @throws {ServiceError} `run_interrupted` if the source or the run is gone, `topics_unknown` if no row has a question,
 * `model_unavailable`
 */
export async function planAugmentation(
  ports: PlanAugmentationPorts,
  context: RunContext,
): Promise<{ search: PlannedStage; writing: PlannedStage }> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), AugmentRunRequest);
  const source = await openSource(ports, context, request.source);
  const texts = textColumns(request).map(([name]) => name);
  const columns = withColumns(
    source.shape.columns.map((column) =>
      texts.includes(column.name) ? castColumn(column, commonType([column.type, 'VARCHAR'])) : column,
    ),
    [...texts.map((name) => ({ name, type: 'VARCHAR' })), ...AUGMENTATION_COLUMNS],
  );
  const taken = await takeRows(ports, (n) => objectKeys.rows(datasetId, n), source, columns);
  await objects.write(objectKeys.combined(runId, 0), JSON.stringify(taken), 'application/json');

  const learner = new LabelLearner(['completion'], 'prompt');
  const sample = await readSample(objects, taken, request, learner);
  // A row that is written may have any label of the dataset, also one that stands in a single row.
  await writeLines(objects, objectKeys.expansionLabels(runId), learner.known());
  if (sample.length === 0) {
    throw new ServiceError(
      'topics_unknown',
      'No row of the dataset has a prompt, so no pool rows can be found.',
    );
  }
  const shape = shapeOf(sample);
  await objects.write(objectKeys.rowShape(runId), JSON.stringify(shape), 'application/json');
  const groups = await planSearch(ports, context, request, { sample, shape });
  const workforce = workforceOf(ports.modelConcurrency);
  await writeExamples(objects, context, request, sample);
  const writing = await planWriting(ports, context, request, groups.length);
  const isActive = await ports.runs.recordPlan(datasetId, runId, {
    total_rows: countRows(wantedRows(request)),
    models: { ...ports.models },
    prompt_versions: Object.fromEntries(writing.map(({ kind }) => [kind, WRITTEN_VERSIONS[kind]])),
  });
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before it was planned.');
  return {
    search: {
      plan_key: objectKeys.plan(runId),
      chunk_count: groups.length,
      max_concurrency: Math.max(1, Math.min(SEARCHERS_MAX, groups.length)),
    },
    writing: {
      plan_key: objectKeys.writingPlan(runId),
      chunk_count: writing.length,
      max_concurrency: workforce.workers,
    },
  };
}

/**
 * Rows of the source with a question, sampled evenly and deterministically, while there is room for them. The learner takes the answers of all that are
 * read.
 */
async function readSample(
  objects: Pick<ObjectStore, 'read'>,
  { chunks, row_count: rowCount }: Pick<RowsManifest, 'chunks' | 'row_count'>,
  request: AugmentRunRequest,
  learner: LabelLearner,
): Promise<ExampleRow[]> {
  const { source, mapping } = request;
  const { prompt } = mapping;
  const answered = mapping.completion ?? mapping.chosen ?? mapping.chat;
  const read = answered === undefined ? [] : [answered, ...(prompt === undefined ? [] : [prompt])];
  const rows = sampleRows(rowCount, Math.min(rowCount, SAMPLE_ROWS), `augment ${source.dataset_id}`);
  const sample: ExampleRow[] = [];
  let next = 0;
  let room = SAMPLE_BYTES_MAX;
  for (const { key, first_row: first, row_count: count } of chunks) {
    if ((rows[next] ?? Number.POSITIVE_INFINITY) >= first + count) continue;
    const lines = await readLines(objects, key);
    for (const [n, line] of read.length === 0 ? [] : lines.entries()) {
      const [answer, asked] = readCells(line, read).values();
      learner.take(first + n, (role) => (role === 'prompt' ? asked : answer));
    }
    for (let row = rows[next]; row !== undefined && row < first + count; row = rows[next]) {
      next += 1;
      const line = lines[row - first] as string;
      const bytes = Buffer.byteLength(line);
      if (bytes > room) continue;
      const { requests, completion, holdsRequest } = readRow(line, request);
      const [asked] = requests;
      if (asked === undefined) continue;
      room -= bytes;
      sample.push({ ...asked, completion, holds_request: holdsRequest });
    }
  }
  return sample;
}

async function planSearch(
  ports: PlanAugmentationPorts,
  context: RunContext,
  request: AugmentRunRequest,
  { sample, shape }: { readonly sample: readonly ExampleRow[]; readonly shape: RowShape },
): Promise<SearchPlan[]> {
  const { objects } = ports;
  const { run_id: runId } = context;
  const wanted = request.domain_rows + request.general_rows;
  if (wanted === 0) return [];
  const texts = sample.map((row) => withTextBehind(row.prompt, aboutText(row, shape)));
  // The pool is searched by its prompts alone: what stands behind those of the dataset brings them no nearer.
  const prompts = sample.map(({ prompt }) => prompt);
  const areAlone = texts.every((text, n) => text === prompts[n]);
  const { model, vectors: embedded } = await embedTexts(ports, [
    UNRELATED_TEXT,
    ...texts,
    ...(areAlone ? [] : prompts),
  ]);
  const [unrelated = new Float32Array(), ...others] = embedded;
  const vectors = others.slice(0, texts.length);
  const shards = shardsOf(await readLoads(objects), model, request.training_type === 'preference_pairs');
  const poolRows = rowCountOf(shards);
  if (poolRows === 0) {
    throw new ServiceError('not_available_yet', 'The curated pool was removed before it was searched.');
  }
  // A pool with few more rows than requested is read completely.
  const isSmall = 2 * wanted >= poolRows;
  const withMore = (rows: number, perRow: number): number =>
    isSmall ? poolRows : Math.min(poolRows, Math.ceil(rows * perRow) + CANDIDATES_MORE);
  const topics = findTopics(vectors, request.source.dataset_id);
  const parts = divideRows(
    request.domain_rows,
    topics.map(({ share }) => share),
  );
  const filling = Math.min(request.domain_rows, FILLING_MAX);
  const search: PoolSearch = {
    model,
    topics: topics.map(({ centre }, n) => ({
      centre: [...centre],
      rows: parts[n] as number,
      candidates: parts[n] === 0 ? 0 : withMore(Math.max(parts[n] as number, filling), CANDIDATES_PER_ROW),
    })),
    nearness: nearnessOf(topics, { vectors, asked: others.slice(-texts.length), unrelated }),
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

/** Batches of rows that a model is to write, those in the source's style first. */
async function planWriting(
  { objects, modelConcurrency }: PlanAugmentationPorts,
  context: RunContext,
  request: AugmentRunRequest,
  firstNumber: number,
): Promise<WritingPlan[]> {
  const wanted = writtenRows(request);
  if (countRows(wanted) === 0) return [];
  const plan: WritingPlan[] = [];
  let next = 0;
  for (const kind of WrittenKind.options) {
    if (wanted[kind] === 0) continue;
    const end = next + Math.ceil((wanted[kind] * WRITTEN_PER_HUNDRED) / 100) + WRITTEN_MORE;
    const rowsMax = batchRows(CALL_SECONDS_ASSUMED, workforceOf(modelConcurrency), end - next);
    for (; next < end; next = Math.min(end, next + rowsMax)) {
      const n = firstNumber + plan.length;
      plan.push({ ...context, n, kind, first_row: next, row_count: Math.min(rowsMax, end - next) });
    }
  }
  await writeLines(objects, objectKeys.writingPlan(context.run_id), plan);
  return plan;
}

/**
 * Writes rows of the sample for a model to follow.
 * @throws {ServiceError} `nothing_to_add` where such rows are wanted and none has an answer
 */
async function writeExamples(
  objects: Pick<ObjectStore, 'write'>,
  context: RunContext,
  { source, similar_rows: similar }: AugmentRunRequest,
  sample: readonly ExampleRow[],
): Promise<void> {
  const answered = examplesOfShape(sample.filter(({ completion }) => completion.trim() !== ''));
  if (similar > 0 && answered.length === 0) {
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
}

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import type { BatchPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { createComparison } from '#shared/training/create-comparison.ts';
import { shownComparison } from '#shared/training/decide/comparison.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import type { CreateComparisonRequest } from '#shared/training/schema/comparison.ts';
import type { Bucket } from '#trainer/embedded/bucket.ts';
import type { ComparedRow } from './comparison-rows.ts';

type Objects = Pick<ObjectStore, 'read' | 'readAtMost' | 'head' | 'write'>;

/** One comparison with its dataset, its adaptation and its training in memory. */
export interface ComparisonService {
  readonly context: RunContext;
  readonly objects: Objects;
  /** The same objects, for the trainer. */
  readonly bucket: Bucket;
  readonly datasets: { find(id: string): Promise<DatasetRecord> };
  readonly runs: { find(datasetId: string, id: string): Promise<RunRecord> };
  readonly trainings: Pick<
    TrainingRepository,
    | 'find'
    | 'recordProgress'
    | 'recordIteration'
    | 'beginAttempt'
    | 'queueAttempt'
    | 'findAttempt'
    | 'revokeAttempt'
    | 'attemptItem'
  >;
}

const COLUMNS = [
  { name: 'question', type: 'VARCHAR' },
  { name: 'answer', type: 'VARCHAR' },
];
const MAPPING = { prompt: 'question', completion: 'answer', context: [] };
/** The base model of the trainings. */
export const COMPARED_MODEL = 'HuggingFaceTB/SmolLM2-135M-Instruct';

/**
 * Starts a comparison of rows by the operation of the service, on a dataset whose adaptation has left them. What DynamoDB,
 * S3 and the queue hold in an installation is in memory here.
 */
export async function startComparison(
  rows: readonly ComparedRow[],
  asked: Omit<CreateComparisonRequest, 'dataset_id' | 'model'>,
  { runId, now }: { readonly runId: string; readonly now: number },
): Promise<ComparisonService> {
  const { objects, bucket } = createObjects();
  const caller = createCaller();
  const dataset = datasetOf(caller, rows.length, now);
  const run = runOf(dataset, rows.length);
  await writeDataset(objects, dataset, run, rows);

  let training: TrainingRecord | undefined;
  const launchRun: LaunchRun = async ({ decide }) => {
    const decided = await decide();
    training = decided.companion?.(runId) as TrainingRecord;
    return decided.response(runId);
  };
  const datasets = { find: async () => dataset, require: async () => dataset };
  const runs = { find: async () => run };
  const current = (): TrainingRecord => {
    if (training === undefined) throw new Error('The comparison was not launched.');
    return training;
  };
  await createComparison(
    {
      datasets,
      runs,
      objects,
      launchRun,
      trainings: { find: async () => current() },
      trainers: ['embedded'],
      freeUses: { admit: async () => undefined },
    },
    { caller, request: { dataset_id: dataset.dataset_id, model: COMPARED_MODEL, ...asked }, now },
  );
  const change = (progress: Partial<TrainingRecord>): boolean => {
    training = { ...current(), ...progress };
    return true;
  };
  return {
    context: { run_id: runId, dataset_id: dataset.dataset_id, team_id: caller.team_id },
    objects,
    bucket,
    datasets,
    runs,
    trainings: {
      find: async () => shownComparison(current()),
      recordProgress: async (_, progress) => change(progress),
      recordIteration: async (_, progress) => change(progress),
      beginAttempt: async ({ iteration, attempt }, queued_at) =>
        change({ attempt: { iteration, attempt, queued_at } }),
      queueAttempt: async () => {},
      findAttempt: async () => null,
      revokeAttempt: async () => {},
      attemptItem: ({ iteration, attempt }) => ({
        table: 'memory',
        pk: runId,
        sk: `${iteration}/${attempt}`,
      }),
    },
  };
}

function createCaller(): Caller {
  const [organization_id, team_id, user_id, key_id] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ];
  return { organization_id, team_id, user_id, key_id, scopes: ['training'], plan: DEFAULT_PLAN };
}

function datasetOf(caller: Caller, rows: number, now: number): DatasetRecord {
  const dataset_id = randomUUID();
  const run_id = randomUUID();
  return {
    dataset_id,
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    created_by_user_id: caller.user_id,
    name: 'Compared rows',
    kind: 'uploaded',
    source_dataset_id: null,
    state: 'succeeded',
    created_at: timestamp(now),
    updated_at: timestamp(now),
    row_count: rows,
    description: null,
    file_format: 'jsonl',
    file_name: 'rows.jsonl',
    s3_key: `uploads/${dataset_id}/rows.jsonl`,
    raw_key: null,
    expected_sha256: null,
    processing_mode: 'adapt',
    raw_column_mapping: null,
    configured_column_mapping: MAPPING,
    defer_adaption: false,
    columns: COLUMNS,
    manifest_key: objectKeys.manifest(dataset_id),
    run_id: null,
    last_run_id: run_id,
    result: { run_id, configured_column_mapping: MAPPING },
    evaluation_summary: null,
    error_data: null,
    image_column_formats: null,
    language_expansion: null,
  };
}

function runOf(dataset: DatasetRecord, rows: number): RunRecord {
  return {
    run_id: dataset.last_run_id ?? '',
    dataset_id: dataset.dataset_id,
    team_id: dataset.team_id,
    organization_id: dataset.organization_id,
    user_id: dataset.created_by_user_id,
    pipeline: 'adapt',
    status: 'succeeded',
    reserved_credits: 0,
    settled_credits: 0,
    request_key: objectKeys.runRequest(dataset.last_run_id ?? ''),
    total_rows: rows,
    counts: null,
    models: {},
    prompt_versions: {},
    error_data: null,
    started_at: dataset.created_at,
    ended_at: dataset.created_at,
  };
}

/** Writes the rows as an ingest leaves them, and their adaptation as the workers of a run do. */
async function writeDataset(
  objects: Objects,
  { dataset_id }: DatasetRecord,
  { run_id, team_id }: RunRecord,
  rows: readonly ComparedRow[],
): Promise<void> {
  const chunk_key = objectKeys.rows(dataset_id, 0);
  const lines = rows.map(({ prompt, original }) => ({ question: prompt, answer: original }));
  await writeLines(objects, chunk_key, lines);
  const bytes = (await objects.head(chunk_key))?.bytes ?? 0;
  const manifest: RowsManifest = {
    version: 1,
    row_count: rows.length,
    columns: COLUMNS,
    source_format: 'jsonl',
    chunks: [{ key: chunk_key, first_row: 0, row_count: rows.length, bytes }],
    warnings: [],
  };
  const specification = specificationOf(
    { recipe_specification: { recipes: { prompt_rephrase: false } } },
    MAPPING,
    { columns: COLUMNS, image_column_formats: null, language_expansion: null },
    'adapt',
  );
  const plan: BatchPlan = {
    run_id,
    dataset_id,
    team_id,
    n: 0,
    chunk_key,
    first_line: 0,
    first_row: 0,
    row_count: rows.length,
    selected: null,
  };
  const results = rows.map(
    ({ prompt, adapted }, row): RunResult => ({
      row,
      outcome: 'changed',
      cells: { enhanced_prompt: prompt, enhanced_completion: adapted },
      tokens: { input: 0, output: 0 },
      calls: 0,
    }),
  );
  const json = (key: string, value: object) => objects.write(key, JSON.stringify(value), 'application/json');
  await json(objectKeys.manifest(dataset_id), manifest);
  await json(objectKeys.runRequest(run_id), { request: {}, specification });
  await writeLines(objects, objectKeys.plan(run_id), [plan]);
  await writeLines(objects, objectKeys.result(run_id, 0), results);
}

/** A bucket in memory, as the service and as the trainer sees it. */
function createObjects(): { readonly objects: Objects; readonly bucket: Bucket } {
  const stored = new Map<string, Buffer>();
  const read = async (key: string): Promise<Buffer> => {
    const body = stored.get(key);
    if (body === undefined) throw new Error(`The object ${key} does not exist.`);
    return body;
  };
  const write = async (key: string, body: Buffer | string): Promise<void> =>
    void stored.set(key, Buffer.from(body));
  return {
    objects: {
      read: async (key) => stored.get(key) ?? null,
      readAtMost: async (key, bytesMax) => {
        const body = stored.get(key);
        return body === undefined ? null : body.length > bytesMax ? 'too_large' : body;
      },
      head: async (key) => {
        const body = stored.get(key);
        return body === undefined ? null : { bytes: body.length, contentType: null, etag: '', modifiedMs: 0 };
      },
      write,
    },
    bucket: {
      read,
      readIfThere: async (key) => stored.get(key),
      lines: async function* (key) {
        yield* (await read(key))
          .toString('utf8')
          .split('\n')
          .filter((line) => line.trim() !== '');
      },
      write,
      upload: async (key, path) => write(key, await readFile(path)),
      delete: async (key) => void stored.delete(key),
    },
  };
}

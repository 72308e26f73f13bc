import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { planAdaptation } from '#shared/adaptation/plan-adaptation.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { EvaluationSummary } from '#shared/datasets/schema/dataset.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { BatchPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import type { RowsChunk, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { launchAdaptation } from '#test/helpers/operations.ts';
import { NOW, seedDataset, seedTeam } from './records.ts';
import type { World } from './world.ts';

export interface ActiveRun {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  readonly run: RunRecord;
  readonly context: RunContext;
  readonly batches: readonly BatchPlan[];
}

export interface ActiveRunOptions {
  readonly rows?: number;
  readonly chunkRows?: number;
  /** Concurrency of the model: it decides how long the batches are. */
  readonly modelConcurrency?: number;
  readonly request?: Partial<AdaptRequest>;
  readonly line?: (row: number) => string;
  readonly dataset?: Partial<DatasetRecord>;
}

/** Asked openly and answered carelessly, so that there is something to be done. */
export const questionOf = (row: number): string => `how do i answer question ${row}`;
export const answerOf = (row: number): string => `just give answer ${row}`;

export const lineOf = (row: number): string =>
  JSON.stringify({ note: row, question: questionOf(row), answer: answerOf(row) });

const COLUMNS = [
  { name: 'note', type: 'BIGINT' },
  { name: 'question', type: 'VARCHAR' },
  { name: 'answer', type: 'VARCHAR' },
];

/** Writes the canonical chunks of a dataset. */
export async function writeRows(
  world: World,
  datasetId: string,
  lines: readonly string[],
  chunkRows: number,
): Promise<void> {
  const chunks: RowsChunk[] = [];
  for (let first = 0; first < lines.length; first += chunkRows) {
    const body = lines
      .slice(first, first + chunkRows)
      .map((line) => `${line}\n`)
      .join('');
    const key = objectKeys.rows(datasetId, chunks.length);
    await world.objects.write(key, body, 'application/jsonl');
    chunks.push({
      key,
      first_row: first,
      row_count: Math.min(chunkRows, lines.length - first),
      bytes: Buffer.byteLength(body),
    });
  }
  const manifest: RowsManifest = {
    version: 1,
    row_count: lines.length,
    columns: COLUMNS,
    source_format: 'csv',
    chunks,
    warnings: [],
  };
  await world.objects.write(objectKeys.manifest(datasetId), JSON.stringify(manifest), 'application/json');
}

/** A dataset of numbered questions, each answered carelessly. */
export async function seedQuestions(
  world: World,
  caller: Caller,
  rows: number,
  { chunkRows = rows, line = lineOf, dataset: fields }: ActiveRunOptions = {},
): Promise<DatasetRecord> {
  const dataset = await seedDataset(world.store, caller, { row_count: rows, columns: COLUMNS, ...fields });
  await writeRows(
    world,
    dataset.dataset_id,
    Array.from({ length: rows }, (_, row) => line(row)),
    chunkRows,
  );
  return dataset;
}

/** A run of an adaptation that is launched and planned, and whose rows nobody has worked on. */
export async function startRun(world: World, options: ActiveRunOptions = {}): Promise<ActiveRun> {
  const { rows = 250, chunkRows = 100, modelConcurrency = 1 } = options;
  const caller = await seedTeam(world.store, 1000);
  const dataset = await seedQuestions(world, caller, rows, { ...options, chunkRows });
  return startRunOn(world, caller, dataset, { request: options.request ?? {}, modelConcurrency });
}

/** The same on a dataset that is there. */
export async function startRunOn(
  world: World,
  caller: Caller,
  dataset: DatasetRecord,
  { request = {}, modelConcurrency = 1 }: Pick<ActiveRunOptions, 'request' | 'modelConcurrency'> = {},
): Promise<ActiveRun> {
  const settings = { MODEL_CONCURRENCY: `${modelConcurrency}`, SEARCH_BASE_URL: 'http://search.test' };
  const use = world.installed(settings);
  const { run_id } = await use(launchAdaptation)({
    caller,
    datasetId: dataset.dataset_id,
    route: 'adapt',
    request: { column_mapping: { prompt: 'question', completion: 'answer' }, ...request },
    now: NOW,
  });
  const context = { run_id: run_id ?? '', dataset_id: dataset.dataset_id, team_id: caller.team_id };
  await planAdaptation(
    {
      runs: world.store.runs,
      objects: world.objects,
      speeds: world.store.speeds,
      modelConcurrency,
      models: {},
      promptVersions: {},
      clock: { now: () => NOW },
    },
    context,
  );
  const run = await world.store.runs.find(dataset.dataset_id, context.run_id);
  if (run === null) throw new Error('The run was not launched.');
  return { caller, dataset, run, context, batches: readPlan(world, context.run_id) };
}

/** Ends the batch jobs of runs that have none. */
export const noBatchJobs = (): Promise<never> => Promise.reject(new Error('The run has no batch jobs.'));

export function readPlan(world: World, runId: string): BatchPlan[] {
  return linesOf(world.objects.text(objectKeys.plan(runId))).map((line) => BatchPlan.parse(JSON.parse(line)));
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

export function resultOf(row: number, outcome: RunResult['outcome'] = 'changed'): RunResult {
  const reason = { code: 'a_reason', message: 'For a reason.' };
  return {
    row,
    outcome,
    ...(outcome === 'changed' ? {} : { reason }),
    ...(outcome === 'dropped'
      ? {}
      : {
          cells: {
            enhanced_prompt: outcome === 'changed' ? `better ${questionOf(row)}` : questionOf(row),
            enhanced_completion: outcome === 'changed' ? `better ${answerOf(row)}` : answerOf(row),
          },
        }),
    tokens: outcome === 'not_selected' ? { input: 0, output: 0 } : { input: 10, output: 5 },
    calls: outcome === 'not_selected' ? 0 : 3,
  };
}

/** Every row of a batch with its result, as a worker leaves them: rows that are not selected have one too. */
export function resultsOf(batch: BatchPlan, outcomeOf: (row: number) => RunResult['outcome']): RunResult[] {
  const selected = batch.selected === null ? null : new Set(batch.selected);
  return Array.from({ length: batch.row_count }, (_, place) => {
    const row = batch.first_row + place;
    return resultOf(row, selected === null || selected.has(place) ? outcomeOf(row) : 'not_selected');
  });
}

export async function writeResults(world: World, key: string, results: readonly RunResult[]): Promise<void> {
  const body = results.map((result) => `${JSON.stringify(result)}\n`).join('');
  await world.objects.write(key, body, 'application/jsonl');
}

/** What the launch of the run left for its workers. */
export const requestOf = (world: World, { run }: Pick<ActiveRun, 'run'>): RunRequestObject =>
  RunRequestObject.parse(JSON.parse(world.objects.text(objectKeys.runRequest(run.run_id))));

/** Leaves results as if the workers of the given batches had finished. */
export async function finishBatches(
  world: World,
  { run, batches }: Pick<ActiveRun, 'run' | 'batches'>,
  outcomeOf: (row: number) => RunResult['outcome'] = () => 'changed',
): Promise<void> {
  for (const batch of batches) {
    await writeResults(world, objectKeys.result(run.run_id, batch.n), resultsOf(batch, outcomeOf));
  }
}

/** Settles the run, whose rows are charged nothing. */
export async function endRunNow(
  world: World,
  { run: { dataset_id, run_id } }: Pick<ActiveRun, 'run'>,
  status: 'succeeded' | 'failed' = 'succeeded',
): Promise<void> {
  const error =
    status === 'failed' ? ({ code: 'run_interrupted', message: 'm', level: 'error' } as const) : null;
  await world.endRun({ dataset_id, run_id, error, billedCredits: 0, now: NOW });
}

/** A run that has ended, whose rows have the given results; one without a result was not finished. */
export async function adaptRows(
  world: World,
  options: ActiveRunOptions,
  resultFor: (row: number) => RunResult | null,
  status: 'succeeded' | 'failed' = 'succeeded',
): Promise<ActiveRun> {
  return finishRows(world, await startRun(world, options), resultFor, status);
}

/** Ends a run whose rows have the given results. */
export async function finishRows(
  world: World,
  started: ActiveRun,
  resultFor: (row: number) => RunResult | null,
  status: 'succeeded' | 'failed' = 'succeeded',
): Promise<ActiveRun> {
  for (const batch of started.batches) {
    const results = Array.from({ length: batch.row_count }, (_, place) => resultFor(batch.first_row + place));
    await writeResults(
      world,
      objectKeys.result(started.run.run_id, batch.n),
      results.filter((result) => result !== null),
    );
  }
  await endRunNow(world, started, status);
  return started;
}

/** Stores an evaluation of a run, as it is while it is scored, or with its grades; returns what a dataset shows of these. */
export async function evaluateRun(
  { store }: World,
  { dataset, run }: { readonly dataset: DatasetRecord; readonly run: Pick<RunRecord, 'run_id'> },
  status: 'running' | 'succeeded' = 'succeeded',
): Promise<EvaluationSummary> {
  const summary = {
    grade_before: 'C' as const,
    grade_after: 'B' as const,
    score_before: 6.5,
    score_after: 8,
    improvement_percent: 23.1,
  };
  await store.datasets.recordEvaluation(dataset.team_id, {
    dataset_id: dataset.dataset_id,
    run_id: run.run_id,
    status,
    quality: status === 'running' ? null : { ...summary, percentile_after: 50 },
    results_key: null,
    started_at: '2026-03-01T12:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.000Z',
  });
  return summary;
}

import type { Clock } from '#shared/models/decide/clock.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readJsonLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { batchRows, planRun, shareWorkers, workforceOf } from '#shared/runs/decide/plan.ts';
import { manifestKeyOf } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { BatchPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import { CHUNK_ROWS_MAX } from '#shared/tabular/decide/limits.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { newBatchState } from './decide/batch-jobs.ts';
import { EXPAND_ROWS_PROMPTS } from './decide/expand-rows.ts';
import { rowPriceOf } from './decide/price-rows.ts';
import { addedRows, secondsPerRow } from './decide/quote.ts';
import { WorkedRow } from './decide/reuse.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { findKnownSpeed, type SpeedStore } from './decide/speed.ts';

export interface PlanAdaptationPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordPlan'>;
  readonly objects: ObjectStore;
  readonly modelConcurrency: number;
  readonly speeds: Pick<SpeedStore, 'findSpeed'>;
  /** Model id by role, and version by prompt, as used in this run. */
  readonly models: Readonly<Record<string, string>>;
  readonly promptVersions: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface PlannedRun {
  readonly plan_key: string;
  readonly max_concurrency: number;
  /** The plan of signatures, by chunk; null without deduplication. */
  readonly signature_plan_key: string | null;
  /** Whether rows in other languages follow. */
  readonly adds_languages: boolean;
  /** Whether model calls are made in batch jobs. */
  readonly is_batched: boolean;
}

/**
 * Decides which rows a run processes, splits them among workers, and writes the plan for the map.
 * @throws {ServiceError} `run_interrupted` if the run is no longer active
 */
export async function planAdaptation(ports: PlanAdaptationPorts, context: RunContext): Promise<PlannedRun> {
  const { dataset_id: datasetId, run_id: runId } = context;
  const { specification, reuse, processing } = await readJson(
    ports.objects,
    objectKeys.runRequest(runId),
    RunRequestObject,
  );
  const run = await ports.runs.find(datasetId, runId);
  const manifest = await readJson(ports.objects, manifestKeyOf(datasetId, run), RowsManifest);
  const workforce = workforceOf(ports.modelConcurrency);
  const { max_rows: maxRows, mode, expansion } = specification;
  const selection = {
    maxRows,
    seed: rowPriceOf(specification) === 'image_context' ? null : datasetId,
    // Their `enhanced_prompt` is derived from the row, even for unprocessed rows: no source column contains it.
    coversAllRows: mode === 'chat' || mode === 'universal_prompt',
  };
  const speed = await findKnownSpeed(
    ports.speeds,
    ports.models.answer ?? null,
    specification,
    context.team_id,
  );
  const batchRowsMax = batchRows(secondsPerRow(specification, speed), workforce, manifest.row_count);
  const plan = planRun(context, manifest.chunks, { ...selection, batchRowsMax });
  await writeLines(ports.objects, objectKeys.plan(runId), plan.batches);
  const bytes = new Map(manifest.chunks.map((chunk) => [chunk.key, chunk.bytes]));
  const work = shareWorkers(plan.batches, {
    rowsMax: batchRowsMax,
    bytesOf: ({ chunk_key: key }) => bytes.get(key) ?? 0,
  });
  const planKey = objectKeys.work(runId);
  await writeLines(ports.objects, planKey, work);
  if (reuse !== null) await takeOver(ports.objects, reuse, plan.batches);
  const signaturePlanKey = specification.deduplication ? objectKeys.signaturePlan(runId) : null;
  if (signaturePlanKey !== null) {
    const whole = planRun(context, manifest.chunks, { ...selection, batchRowsMax: CHUNK_ROWS_MAX });
    await writeLines(ports.objects, signaturePlanKey, whole.batches);
  }

  const isBatched = processing === 'batch';
  // A repetition must not begin anew with jobs that are under way.
  if (isBatched && (await ports.objects.head(objectKeys.batchState(runId))) === null) {
    const state = JSON.stringify(newBatchState(ports.clock.now()));
    await ports.objects.write(objectKeys.batchState(runId), state, 'application/json');
  }

  const isActive = await ports.runs.recordPlan(datasetId, runId, {
    total_rows: plan.selectedRows + addedRows(plan.selectedRows, expansion),
    models: { ...ports.models },
    prompt_versions: {
      ...ports.promptVersions,
      ...(expansion === null ? {} : EXPAND_ROWS_PROMPTS[expansion.type]),
    },
  });
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before it was planned.');
  return {
    plan_key: planKey,
    max_concurrency: workforce.workers,
    signature_plan_key: signaturePlanKey,
    adds_languages: expansion !== null,
    is_batched: isBatched,
  };
}

/**
 * Writes rows that are delivered already as checkpoints of their batches, from which the workers go on.
 * @throws {ServiceError} `run_interrupted` if they are not those that the bill leaves out
 */
async function takeOver(
  objects: ObjectStore,
  { results_key: key, rows }: { readonly results_key: string; readonly rows: number },
  batches: readonly BatchPlan[],
): Promise<void> {
  const results = await readJsonLines(objects, key, WorkedRow);
  let taken = 0;
  for (const { run_id: runId, n, first_row: first, row_count: count } of batches) {
    const own = results
      .filter(({ row }) => row >= first && row < first + count)
      .map((result): WorkedRow => ({ ...result, reused: true }));
    if (own.length > 0) await writeLines(objects, `${objectKeys.checkpoints(runId, n)}reused.jsonl`, own);
    taken += own.length;
  }
  if (taken !== rows) {
    throw new ServiceError('run_interrupted', 'The rows of the pilot are gone. Start the run again.');
  }
}

import { BatchState } from '#shared/adaptation/decide/batch-jobs.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { recordSpeedOfRun, type SpeedPorts } from '#shared/adaptation/measure-run.ts';
import type { EvaluationRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { billGrowth } from '#shared/growth/bill-growth.ts';
import { interruptPilot } from '#shared/pilots/end-pilot.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { findJson, readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf, type RunKind } from '#shared/runs/decide/run-kinds.ts';
import { type EndRun, endOnce } from '#shared/runs/end-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { billTraining } from '#shared/training/bill-training.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import { removeLeftovers } from '#shared/training/remove-leftovers.ts';
import { assembleRun, priceDelivered } from './assemble-run.ts';

export interface EndAdaptationPorts {
  readonly datasets: Pick<DatasetRepository, 'find' | 'findEvaluation' | 'recordEvaluation'>;
  readonly runs: Pick<RunRepository, 'find' | 'readEffort' | 'close'>;
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'write' | 'list' | 'remove'>;
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly endRun: EndRun;
  /** Has the batch jobs of a run ended, in the background. */
  readonly endBatchJobs: (runId: string) => Promise<void>;
  /** Stores the speed of a successful run; absent for endings that are always failures. */
  readonly measuring?: SpeedPorts;
}

/**
 * Prices the counted results of a run, at most the reserved credits: rows that a quote expected to be reused, and that
 * were asked about again, are the service's. Later quotes for the dataset then expect none.
 */
async function billOf(
  ports: Pick<EndAdaptationPorts, 'objects'>,
  { run_id: runId, reserved_credits: reserved }: Pick<RunRecord, 'run_id' | 'reserved_credits'>,
  report: StoredReport,
): Promise<{ billedCredits: number; counts: StoredReport['rows'] }> {
  const request = await readJson(ports.objects, objectKeys.runRequest(runId), RunRequestObject);
  return { billedCredits: Math.min(reserved, priceDelivered(request, report)), counts: report.rows };
}

/** Has the batch jobs of a run ended that are under way, or may be: their state machine has failed or was stopped. */
async function endOpenJobs(
  { objects, endBatchJobs }: Pick<EndAdaptationPorts, 'objects' | 'endBatchJobs'>,
  runId: string,
): Promise<void> {
  const state = await findJson(objects, objectKeys.batchState(runId), BatchState);
  if (state !== null && state.stage !== 'done') await endBatchJobs(runId);
}

export interface Delivered {
  readonly billedCredits: number;
  readonly counts: StoredReport['rows'] | null;
  /** True for a training with a model, which has succeeded even if a later iteration failed. */
  readonly hasModel?: boolean;
}

type BillerPorts = Pick<
  EndAdaptationPorts,
  'runs' | 'objects' | 'datasets' | 'trainings' | 'endRun' | 'endBatchJobs'
>;

const nothing = async (): Promise<Delivered> => ({ billedCredits: 0, counts: null });

/** How runs that failed are billed, by what they make. They close to late results first, and write their report. */
const billers: Readonly<
  Record<RunKind['makes'], (ports: BillerPorts, run: RunRecord, now: number) => Promise<Delivered>>
> = {
  rows: nothing,
  further_rows: nothing,
  grown_rows: billGrowth,
  async version(ports, run, now) {
    const hasPlan = (await ports.objects.head(objectKeys.plan(run.run_id))) !== null;
    if (!hasPlan) return nothing();
    await endOpenJobs(ports, run.run_id);
    await ports.runs.close(run.dataset_id, run.run_id);
    return billOf(ports, run, await assembleRun(ports, run, { mustBeComplete: false, now }));
  },
  async recommendation(ports, run) {
    await ports.runs.close(run.dataset_id, run.run_id);
    return interruptPilot(ports, run);
  },
  async model(ports, run, now) {
    const training = await ports.trainings.find(run.team_id, run.run_id);
    if (training === null) return nothing();
    // A comparison's models are for it alone.
    if (training.comparison !== undefined) await removeLeftovers(ports.objects, training);
    const billedCredits = await billTraining(ports, training, now);
    return { billedCredits, counts: null, hasModel: training.best !== null };
  },
};

/** Counts and prices the delivered rows of a failed run, of any kind. */
export function billDelivered(ports: BillerPorts, run: RunRecord, now: number): Promise<Delivered> {
  return billers[kindOf(run).makes](ports, run, now);
}

/**
 * How a run ends whose execution ended without ending it. The reason for which it was stopped goes before `error`, and
 * a training with a model has succeeded.
 */
export function interruptedEnding(
  { dataset_id, run_id, stop_reason }: RunRecord,
  error: ErrorData,
  { billedCredits, counts, hasModel = false }: Delivered,
  now: number,
): Parameters<EndRun>[0] {
  return {
    dataset_id,
    run_id,
    error: stop_reason ?? (hasModel ? null : error),
    billedCredits,
    ...(counts === null ? {} : { counts }),
    now,
  };
}

/**
 * Ends an adaptation: bills the delivered rows, changed or kept, and ends the run. A failed run is billed for its
 * finished rows, which can be downloaded. Idempotent.
 */
export const endAdaptation = (
  ports: EndAdaptationPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<RunRecord> => endOnce(ports.runs, context, (run) => endActive(ports, run, error, now));

async function endActive(
  ports: EndAdaptationPorts,
  run: RunRecord,
  error: ErrorData | null,
  now: number,
): Promise<RunRecord> {
  const { dataset_id: datasetId, run_id: runId } = run;
  if (error === null) await endOpenJobs(ports, runId);
  const delivered = error === null ? await readDelivered(ports, run) : await billDelivered(ports, run, now);
  const own = await ports.datasets.findEvaluation(datasetId, runId);
  if (own?.status === 'running') {
    // Its state machine was stopped before it could record this.
    const updatedAt = new Date(now).toISOString();
    await ports.datasets.recordEvaluation(run.team_id, { ...own, status: 'failed', updated_at: updatedAt });
  }
  if (error === null && ports.measuring !== undefined) {
    await measureRun({ ...ports, measuring: ports.measuring }, run, own, now);
  }
  const quality = own?.quality ?? null;
  return ports.endRun({
    dataset_id: datasetId,
    run_id: runId,
    error,
    billedCredits: delivered.billedCredits,
    ...(delivered.counts === null ? {} : { counts: delivered.counts }),
    ...(quality === null
      ? {}
      : {
          evaluationSummary: {
            grade_before: quality.grade_before,
            grade_after: quality.grade_after,
            score_before: quality.score_before,
            score_after: quality.score_after,
            improvement_percent: quality.improvement_percent,
          },
        }),
    now,
  });
}

/** Reads counts and price of a run whose rows are all done. */
async function readDelivered(
  { objects }: Pick<EndAdaptationPorts, 'objects'>,
  run: RunRecord,
): ReturnType<typeof billOf> {
  return billOf({ objects }, run, await readJson(objects, objectKeys.report(run.run_id), StoredReport));
}

async function measureRun(
  { objects, runs, measuring }: Required<Pick<EndAdaptationPorts, 'objects' | 'runs' | 'measuring'>>,
  run: RunRecord,
  evaluation: EvaluationRecord | null,
  now: number,
): Promise<void> {
  const [report, effort, { specification, reuse, processing }] = await Promise.all([
    readJson(objects, objectKeys.report(run.run_id), StoredReport),
    runs.readEffort(run.run_id),
    readJson(objects, objectKeys.runRequest(run.run_id), RunRequestObject),
  ]);
  // Rows that were taken over or reused took no time, and those of batch jobs say nothing of single calls.
  if (reuse !== null || (report.reused ?? 0) > 0 || processing === 'batch') return;
  await recordSpeedOfRun(measuring, { run, report, effort, specification, evaluation, now });
}

import { BatchState } from '#shared/adaptation/decide/batch-jobs.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { billGrowth } from '#shared/growth/bill-growth.ts';
import { interruptPilot } from '#shared/pilots/end-pilot.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf, type RunKind } from '#shared/runs/decide/run-kinds.ts';
import type { EndRun } from '#shared/runs/end-run.ts';
import { billTraining } from '#shared/training/bill-training.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import { removeLeftovers } from '#shared/training/remove-leftovers.ts';
import { assembleFinished } from './assemble-run.ts';
import { billReport } from './bill-run.ts';
import { endEvaluation, summaryOf } from './end-evaluation.ts';

export interface BillFailedRunPorts {
  readonly datasets: Pick<DatasetRepository, 'find' | 'findEvaluation' | 'recordEvaluation'>;
  readonly runs: Pick<RunRepository, 'find' | 'readEffort'>;
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'write' | 'writeNew' | 'list' | 'remove'>;
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly endRun: EndRun;
  /** Has the batch jobs of a run ended, in the background. */
  readonly endBatchJobs: (runId: string) => Promise<void>;
}

/** Has the batch jobs of a run ended that are under way, or may be: their state machine has failed or was stopped. */
export async function endOpenJobs(
  { objects, endBatchJobs }: Pick<BillFailedRunPorts, 'objects' | 'endBatchJobs'>,
  runId: string,
): Promise<void> {
  const state = await findJson(objects, objectKeys.batchState(runId), BatchState);
  if (state !== null && state.stage !== 'done') await endBatchJobs(runId);
}

export interface Delivered {
  readonly billedCredits: number;
  /** Credits without the discount of a voucher; absent: `billedCredits`. */
  readonly priceBeforeDiscount?: number;
  readonly counts: StoredReport['rows'] | null;
  /** What was not made of what was asked for. */
  readonly warnings?: NonNullable<Parameters<EndRun>[0]['warnings']>;
  /** What the evaluation of an adaptation found. */
  readonly evaluationSummary?: NonNullable<Parameters<EndRun>[0]['evaluationSummary']>;
  /** True for a training with a model, which has succeeded even if a later iteration failed. */
  readonly hasModel?: boolean;
  /** True for an adaptation, or a run that grows a dataset, that has all its rows, which has succeeded whatever ended it while they were counted or scored. */
  readonly isWhole?: boolean;
}

const nothing = async (): Promise<Delivered> => ({ billedCredits: 0, counts: null });

/** How runs that failed are billed, by what they make. They write their report, and a result where there is none: later ones are ignored. */
const billers: Readonly<
  Record<RunKind['makes'], (ports: BillFailedRunPorts, run: RunRecord, now: number) => Promise<Delivered>>
> = {
  rows: nothing,
  further_rows: nothing,
  grown_rows: billGrowth,
  async version(ports, run, now) {
    const hasPlan = (await ports.objects.head(objectKeys.plan(run.run_id))) !== null;
    if (!hasPlan) return nothing();
    await endOpenJobs(ports, run.run_id);
    const { report, refusal } = await assembleFinished(ports, run, { now });
    const bill = await billReport(ports, run, report);
    return { ...bill, ...summaryOf(await endEvaluation(ports, run, now)), isWhole: refusal === null };
  },
  recommendation: interruptPilot,
  async model(ports, run, now) {
    const training = await ports.trainings.find(run.team_id, run.run_id);
    if (training === null) return nothing();
    // A comparison's models are for it alone.
    if (training.comparison !== undefined) await removeLeftovers(ports.objects, training);
    const bill = await billTraining(ports, training, now);
    return { ...bill, counts: null, hasModel: training.best !== null };
  },
};

/** Counts and prices the delivered rows of a run of any kind that failed. */
export function billFailedRun(ports: BillFailedRunPorts, run: RunRecord, now: number): Promise<Delivered> {
  const { makes, deliversPart } = kindOf(run);
  return deliversPart ? billers[makes](ports, run, now) : nothing();
}

/**
 * How a run ends whose execution ended without ending it. The reason for which it was stopped goes before `error`, and
 * a training with a model has succeeded, as has an adaptation, or a run that grows a dataset, with all its rows.
 */
export function interruptedEnding(
  { dataset_id, run_id, stop_reason }: RunRecord,
  error: ErrorData,
  { counts, hasModel = false, isWhole = false, ...bill }: Delivered,
  now: number,
): Parameters<EndRun>[0] {
  return {
    dataset_id,
    run_id,
    error: isWhole ? null : (stop_reason ?? (hasModel ? null : error)),
    ...bill,
    ...(counts === null ? {} : { counts }),
    now,
  };
}

/** Ends a run of any kind that failed or was stopped, and bills what it has delivered. */
export async function endFailedRun(
  ports: BillFailedRunPorts,
  run: RunRecord,
  error: ErrorData,
  now: number,
): Promise<RunRecord> {
  return ports.endRun(interruptedEnding(run, error, await billFailedRun(ports, run, now), now));
}

import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { recordSpeedOfRun, type SpeedPorts } from '#shared/adaptation/record-speed-of-run.ts';
import type { EvaluationRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import { endOnce } from '#shared/runs/end-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { billReport } from './bill-run.ts';
import { type BillFailedRunPorts, billFailedRun, type Delivered, endOpenJobs } from './end-failed-run.ts';

export interface EndAdaptationPorts extends BillFailedRunPorts {
  readonly datasets: BillFailedRunPorts['datasets'] &
    Pick<DatasetRepository, 'findEvaluation' | 'recordEvaluation'>;
  /** Stores the speed of a successful run; absent for endings that are always failures. */
  readonly measuring?: SpeedPorts;
}

/**
 * Ends an adaptation: bills the delivered rows, changed or kept, and ends the run. A failed run is billed for its
 * finished rows, which can be downloaded; one that has all its rows has succeeded. Idempotent.
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
  const delivered: Delivered =
    error === null ? await billFinishedRun(ports, run) : await billFailedRun(ports, run, now);
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
    error: delivered.isWhole === true ? null : error,
    billedCredits: delivered.billedCredits,
    ...(delivered.counts === null ? {} : { counts: delivered.counts }),
    ...(delivered.warnings === undefined ? {} : { warnings: delivered.warnings }),
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
async function billFinishedRun(
  { objects }: Pick<EndAdaptationPorts, 'objects'>,
  run: RunRecord,
): ReturnType<typeof billReport> {
  return billReport({ objects }, run, await readJson(objects, objectKeys.report(run.run_id), StoredReport));
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

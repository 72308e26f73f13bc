import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { recordSpeedOfRun, type SpeedPorts } from '#shared/adaptation/record-speed-of-run.ts';
import type { EvaluationRecord } from '#shared/datasets/decide/record.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import { endOnce } from '#shared/runs/end-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { billReport } from './bill-run.ts';
import { endEvaluation, summaryOf } from './end-evaluation.ts';
import { type BillFailedRunPorts, billFailedRun, type Delivered, endOpenJobs } from './end-failed-run.ts';

export interface EndAdaptationPorts extends BillFailedRunPorts {
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
  const { counts, isWhole, ...bill }: Delivered =
    error === null ? await finishRun(ports, run, now) : await billFailedRun(ports, run, now);
  return ports.endRun({
    dataset_id: run.dataset_id,
    run_id: run.run_id,
    error: isWhole === true ? null : error,
    ...bill,
    ...(counts === null ? {} : { counts }),
    now,
  });
}

/** Reads counts, price and grades of a run whose rows are all done, and stores its speed. */
async function finishRun(ports: EndAdaptationPorts, run: RunRecord, now: number): Promise<Delivered> {
  const { objects, measuring } = ports;
  await endOpenJobs(ports, run.run_id);
  const report = await readJson(objects, objectKeys.report(run.run_id), StoredReport);
  const bill = await billReport({ objects }, run, report);
  const evaluation = await endEvaluation(ports, run, now);
  if (measuring !== undefined) await measureRun({ ...ports, measuring }, { run, report, evaluation, now });
  return { ...bill, ...summaryOf(evaluation) };
}

async function measureRun(
  { objects, runs, measuring }: Required<Pick<EndAdaptationPorts, 'objects' | 'runs' | 'measuring'>>,
  {
    run,
    report,
    ...rest
  }: {
    readonly run: RunRecord;
    readonly report: StoredReport;
    readonly evaluation: EvaluationRecord | null;
    readonly now: number;
  },
): Promise<void> {
  const [effort, { specification, reuse, processing }] = await Promise.all([
    runs.readEffort(run.run_id),
    readJson(objects, objectKeys.runRequest(run.run_id), RunRequestObject),
  ]);
  // Rows that were taken over or reused took no time, and those of batch jobs say nothing of single calls.
  if (reuse !== null || (report.reused ?? 0) > 0 || processing === 'batch') return;
  await recordSpeedOfRun(measuring, { run, report, effort, specification, ...rest });
}

import type { EvaluationRecord } from '#shared/datasets/decide/record.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunEffort } from '#shared/runs/decide/repository.ts';
import { callsPerWorkedRow } from './decide/quote.ts';
import type { RunRequestObject } from './decide/run-request.ts';
import { ANY_SHAPE, type SpeedStore, shapeOf } from './decide/speed.ts';

export interface SpeedPorts {
  readonly speeds: Pick<SpeedStore, 'recordSpeed'>;
  readonly modelConcurrency: number;
  readonly evaluationSampleRows: number;
}

/** Maximum seconds before the first row that count: a judge is calibrated in its first run only. */
const BEGINNING_SECONDS_MAX = 10;

const secondsBetween = (fromMs: number, untilMs: number): number => Math.max(0, untilMs - fromMs) / 1000;

/** Stores the duration of a successful run, for later quotes. Idempotent. */
export async function recordSpeedOfRun(
  { speeds, modelConcurrency, evaluationSampleRows }: SpeedPorts,
  {
    run,
    report,
    effort,
    specification,
    evaluation,
    now,
  }: {
    readonly run: RunRecord;
    readonly report: StoredReport;
    readonly effort: RunEffort;
    readonly specification: RunRequestObject['specification'];
    readonly evaluation: EvaluationRecord | null;
    readonly now: number;
  },
): Promise<void> {
  const modelId = run.models.answer;
  const { rows, tokens, call_seconds: callSeconds } = report;
  const worked = rows.total - rows.not_selected;
  const { startedAtMs, reportedAtMs } = effort;
  if (modelId === undefined || worked === 0 || tokens.calls === 0 || callSeconds === 0) return;
  if (startedAtMs === null || reportedAtMs === null) return;

  const launchedAtMs = Date.parse(run.started_at);
  const evaluationSeconds =
    evaluation === null
      ? 0
      : secondsBetween(Date.parse(evaluation.started_at), Date.parse(evaluation.updated_at));
  const beginning = secondsBetween(launchedAtMs, startedAtMs);
  const ending = secondsBetween(reportedAtMs, now) - evaluationSeconds;
  const observation = {
    run_id: run.run_id,
    team_id: run.team_id,
    rows: worked,
    calls: tokens.calls,
    quoted_calls_per_row: callsPerWorkedRow(specification, worked),
    call_seconds: callSeconds,
    work_seconds: secondsBetween(startedAtMs, reportedAtMs),
    evaluated_rows: Math.min(worked, evaluationSampleRows),
    evaluation_seconds: evaluationSeconds,
    other_seconds: Math.min(beginning, BEGINNING_SECONDS_MAX) + Math.max(0, ending),
    concurrency: modelConcurrency,
  };
  for (const shape of [shapeOf(specification), ANY_SHAPE]) {
    await speeds.recordSpeed(modelId, shape, observation);
  }
}

import type { RunRecord } from '../domain/runs/record.ts';
import type { ErrorData } from '../schema/common.ts';
import type { EvaluationSummary } from '../schema/dataset.ts';
import type { RowCounts } from '../schema/report.ts';

export interface SettleRunInput {
  readonly dataset_id: string;
  readonly run_id: string;
  /** Null where the run succeeded. */
  readonly error: ErrorData | null;
  /** Credits for the rows that the caller can download; at most what was reserved. */
  readonly billedCredits: number;
  readonly counts?: RowCounts;
  readonly evaluationSummary?: EvaluationSummary;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Answers the run as it ended first: a second call changes nothing. */
export type SettleRun = (input: SettleRunInput) => Promise<RunRecord>;

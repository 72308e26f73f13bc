import type { Executions } from '../domain/runs/executions.ts';
import type { RunRecord } from '../domain/runs/record.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import type { RowCounts } from '../schema/report.ts';
import type { SettleRun } from './settle-run.ts';

export interface SweepRunsPorts {
  readonly runs: Pick<RunRepository, 'listActive'>;
  readonly executions: Pick<Executions, 'find'>;
  readonly settleRun: SettleRun;
  /** What an interrupted run has delivered so far, and what that costs. */
  readonly delivered: (run: RunRecord) => Promise<{ billedCredits: number; counts: RowCounts | null }>;
}

export interface SweepRunsInput {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Most runs to look at; `next` then says where to go on. */
  readonly runsMax: number;
  readonly after?: string;
}

export interface SweepRunsResult {
  readonly examined: number;
  readonly settled: number;
  /** Run ids that could not be looked at or settled, with what went wrong; the next sweep tries them again. */
  readonly failures: readonly { readonly run_id: string; readonly cause: unknown }[];
  readonly next: string | null;
}

export type SweepRuns = (input: SweepRunsInput) => Promise<SweepRunsResult>;

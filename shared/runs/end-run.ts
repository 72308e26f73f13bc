import type { EvaluationSummary } from '#shared/datasets/schema/dataset.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { FileWarning } from '#shared/tabular/schema/rows-manifest.ts';
import type { Ledger } from './decide/ledger/repository.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';
import { kindOf } from './decide/run-kinds.ts';
import { giveBackReadingPlace } from './reading-places.ts';
import type { RowCounts } from './schema/row-counts.ts';
import type { RunContext } from './schema/run-context.ts';

interface EndRunInput {
  readonly dataset_id: string;
  readonly run_id: string;
  /** Null if the run succeeded. */
  readonly error: ErrorData | null;
  /** Credits for the rows that the caller can download; at most the reserved amount. */
  readonly billedCredits: number;
  /** Credits without the discount of a voucher; absent: `billedCredits`. */
  readonly priceBeforeDiscount?: number;
  readonly counts?: RowCounts;
  readonly evaluationSummary?: EvaluationSummary;
  /** What a run that succeeded did not make of what was asked for. */
  readonly warnings?: readonly FileWarning[];
  /** Whether it could not be started. */
  readonly isUnstarted?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the run as it first ended: a second call changes nothing. */
export type EndRun = (input: EndRunInput) => Promise<RunRecord>;

/**
 * Ends a run by `end`, unless it has ended before: what its caller counts and bills for the end is then done already.
 * @throws {Error} if there is no such run
 */
export async function endOnce(
  runs: Pick<RunRepository, 'find'>,
  { dataset_id, run_id }: Pick<RunContext, 'dataset_id' | 'run_id'>,
  end: (run: RunRecord) => Promise<RunRecord>,
): Promise<RunRecord> {
  const run = await runs.find(dataset_id, run_id);
  if (run === null) throw new Error(`There is no run ${run_id}.`);
  return run.status === 'running' ? end(run) : run;
}

/**
 * Ends a run in one transaction: its credits are settled or returned, and the run and its dataset get their final
 * state. State machines, the consumer of ended executions and the sweeper may all call it for the same run; the
 * first call decides. Each gives back the place of a run that reads files: the first may have been killed before.
 */
export function createEndRun(ports: {
  readonly ledger: Pick<Ledger, 'end'>;
  readonly claims: Pick<Claims, 'release'>;
}): EndRun {
  return async (input) => {
    const run = await ports.ledger.end({
      dataset_id: input.dataset_id,
      run_id: input.run_id,
      status: input.error === null ? 'succeeded' : 'failed',
      billedCredits: input.billedCredits,
      ...(input.priceBeforeDiscount === undefined ? {} : { priceBeforeDiscount: input.priceBeforeDiscount }),
      counts: input.counts ?? null,
      errorData: input.error,
      changes: {
        ...(input.evaluationSummary === undefined ? {} : { evaluation_summary: input.evaluationSummary }),
      },
      ...(input.warnings === undefined || input.warnings.length === 0 ? {} : { warnings: input.warnings }),
      ...(input.isUnstarted === true ? { isUnstarted: true } : {}),
      endedAt: timestamp(input.now),
    });
    if (kindOf(run).reads === 'files' && run.status !== 'running') {
      await giveBackReadingPlace(ports.claims, run);
    }
    return run;
  };
}

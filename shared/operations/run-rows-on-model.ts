import type { AdaptiveLimit } from '#shared/domain/model/adaptive-limit.ts';
import type { Asking } from '#shared/domain/model/ask-model.ts';
import { reportingOutage } from './judging.ts';
import { type RowsJob, type RowsOutcome, runRows } from './run-rows.ts';

/** Where a chunk comes from, where it goes, and what limits its work. */
export type ModelRowsJob = Omit<RowsJob<never>, 'process' | 'parse' | 'concurrency' | 'effortOf'> & {
  readonly limit: AdaptiveLimit;
  readonly asking: Omit<Asking, 'limit' | 'clock' | 'signal'>;
};

export function askingOf({ asking, limit, clock }: ModelRowsJob, signal: AbortSignal): Asking {
  return { ...asking, limit, clock, signal };
}

/**
 * Runs rows that ask a model, as many at once as may be asked.
 * @throws {ServiceError} `model_unavailable` when no row would be answered; what is done is checkpointed
 */
export async function runRowsOnModel<T extends { readonly row: number }>(
  job: Omit<RowsJob<T>, 'concurrency'> & Pick<ModelRowsJob, 'limit'>,
): Promise<RowsOutcome<T>> {
  return reportingOutage(() => runRows({ ...job, concurrency: job.limit.concurrencyMax }));
}

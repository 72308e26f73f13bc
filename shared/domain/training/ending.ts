import type { Ending } from '../ledger/repository.ts';
import type { TrainingRecord } from './record.ts';

/** What the end of its run sets on a training: one that was cancelled has not failed, and says no error. */
export function trainingEnding({
  status,
  errorData,
  endedAt,
}: Pick<Ending, 'status' | 'errorData' | 'endedAt'>): Pick<
  TrainingRecord,
  'status' | 'error' | 'completed_at' | 'attempt'
> {
  const isCancelled = errorData?.code === 'run_cancelled';
  return {
    status: isCancelled ? 'cancelled' : status,
    error: isCancelled ? null : (errorData?.message ?? null),
    completed_at: endedAt,
    attempt: null,
  };
}

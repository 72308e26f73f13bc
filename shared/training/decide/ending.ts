import type { Ending } from '#shared/runs/decide/ledger/repository.ts';
import type { TrainingRecord } from './record.ts';

/** The fields that the end of a run sets on its training; a cancelled training has no error. */
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

import * as z from 'zod';
import type { Ending } from '#shared/runs/decide/ledger/repository.ts';
import type { TrainingRecord } from './record.ts';

/**
 * What the end of a run reads of its training. Every function that launches a run can end one; only those of trainings
 * load the whole record's schema.
 */
export const EndingTraining = z.object({
  experiment_id: z.uuid(),
  dataset_id: z.uuid(),
  team_id: z.string(),
  /** Present if it is a comparison. */
  comparison: z.unknown().optional(),
  idempotency_key_hash: z.string().nullable(),
  iterations_completed: z.int().min(0),
  best: z.object({ win_rate: z.number() }).nullable(),
  attempt: z.object({ iteration: z.int().min(1), attempt: z.int().min(1) }).nullable(),
});
export type EndingTraining = z.infer<typeof EndingTraining>;

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

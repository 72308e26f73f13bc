import * as z from 'zod';
import { type DatasetEvent, newEvent } from '#shared/events/decide/event.ts';
import type { Ending } from '#shared/runs/decide/ledger/repository.ts';
import type { TrainingRecord } from './record.ts';

/**
 * What the end of a run reads of its training. Functions that end any run load this; only those of trainings load the
 * whole record's schema.
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
  voucher: z.string().nullable().default(null),
  attempt: z.object({ iteration: z.int().min(1), attempt: z.int().min(1) }).nullable(),
});
export type EndingTraining = z.infer<typeof EndingTraining>;

/** Whether the end of a training gives the use of its voucher back: without it, there would be nothing to pay either. */
export function returnsVoucher(
  { voucher }: Pick<EndingTraining, 'voucher'>,
  {
    billedCredits,
    priceBeforeDiscount = billedCredits,
  }: Pick<Ending, 'billedCredits' | 'priceBeforeDiscount'>,
): boolean {
  return voucher !== null && priceBeforeDiscount === 0;
}

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

/** What the end of a training, or of a comparison, says to those who wait for it. */
export function trainingEndedEvent(
  { experiment_id, dataset_id, comparison, iterations_completed, best }: EndingTraining,
  { status, billedCredits, errorData, endedAt }: Ending,
): DatasetEvent {
  const error_code = errorData?.code ?? null;
  return newEvent(
    {
      type: 'training.ended',
      data: {
        experiment_id,
        kind: comparison === undefined ? 'training' : 'comparison',
        status: error_code === 'run_cancelled' ? 'cancelled' : status,
        iterations: iterations_completed,
        best_win_rate: best?.win_rate ?? null,
        billed_credits: billedCredits,
        error_code,
      },
    },
    experiment_id,
    { datasetId: dataset_id, at: endedAt },
  );
}

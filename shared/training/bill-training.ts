import { billGrowth } from '#shared/growth/bill-growth.ts';
import { type EndGrowthPorts, endGrowth } from '#shared/growth/end-growth.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { trainingBill } from './decide/price.ts';
import type { TrainingRecord } from './decide/record.ts';

const TRAINING_ENDED: ErrorData = {
  code: 'run_interrupted',
  message: 'The training that needed these rows has ended.',
  level: 'error',
};

/**
 * Bills a training for any outcome: the rows that its augmentation delivered. An augmentation that has not ended is
 * ended first, with the error `cause`: rows that it delivered later would never be billed.
 */
export async function billTraining(
  ports: EndGrowthPorts,
  training: TrainingRecord,
  now: number,
  cause: ErrorData = TRAINING_ENDED,
): Promise<{ billedCredits: number; priceBeforeDiscount: number }> {
  const run = await endAugmentation(ports, training, now, cause);
  if (run === null) return { billedCredits: 0, priceBeforeDiscount: 0 };
  // Rows may have been delivered between the count and the end.
  const counts = run.counts ?? (await billGrowth(ports, run)).counts;
  return {
    billedCredits: trainingBill(training, { counts }),
    priceBeforeDiscount: trainingBill({ ...training, discount_percent: 0 }, { counts }),
  };
}

/** Ends the augmentation of a training, which delivers no rows afterwards. Null if none was started; idempotent. */
export async function endAugmentation(
  ports: EndGrowthPorts,
  { augmented, team_id }: Pick<TrainingRecord, 'augmented' | 'team_id'>,
  now: number,
  cause: ErrorData = TRAINING_ENDED,
): Promise<RunRecord | null> {
  if (augmented === null || (await ports.runs.find(augmented.dataset_id, augmented.run_id)) === null)
    return null;
  return endGrowth(ports, { ...augmented, team_id }, cause, now);
}

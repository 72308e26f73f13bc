import { priceRows } from '#shared/access/decide/prices.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { TrainingRecord } from './record.ts';

/** Whole credits for `rows` added by a training; the training itself is free. */
export function trainingCredits(rows: number, discountPercent: number): number {
  return Math.ceil((priceRows(rows, 'training_augmented') * (100 - discountPercent)) / 100);
}

/** The credits billed for the rows that `augmentedRun` added: at most what was reserved for the requested rows. */
export function trainingBill(
  training: Pick<
    TrainingRecord,
    'augmentation_domain_rows' | 'augmentation_general_rows' | 'discount_percent'
  >,
  augmentedRun: Pick<RunRecord, 'counts'> | null,
): number {
  const asked = training.augmentation_domain_rows + training.augmentation_general_rows;
  const added = augmentedRun?.counts?.expanded ?? 0;
  return trainingCredits(Math.min(asked, added), training.discount_percent);
}

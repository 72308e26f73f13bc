import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { trainingBill } from './decide/price.ts';
import type { TrainingRecord } from './decide/record.ts';

/** Bills a training for any outcome: the rows that its augmentation has added so far. */
export async function billTraining(
  { runs }: { readonly runs: Pick<RunRepository, 'find'> },
  training: TrainingRecord,
): Promise<number> {
  const { augmented } = training;
  const augmentation = augmented === null ? null : await runs.find(augmented.dataset_id, augmented.run_id);
  return trainingBill(training, augmentation);
}

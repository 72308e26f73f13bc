import type { RunRepository } from '../domain/runs/repository.ts';
import { trainingBill } from '../domain/training/price.ts';
import type { TrainingRecord } from '../domain/training/record.ts';

/** Bills a training for any outcome: the rows that its augmentation has added so far. */
export async function billTraining(
  { runs }: { readonly runs: Pick<RunRepository, 'find'> },
  training: TrainingRecord,
): Promise<number> {
  const { augmented } = training;
  const augmentation = augmented === null ? null : await runs.find(augmented.dataset_id, augmented.run_id);
  return trainingBill(training, augmentation);
}

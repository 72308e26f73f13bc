import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { requireTraining } from './require-training.ts';
import type { TrainingAugmentation } from './start-training-augmentation.ts';

export interface AugmentTrainingPorts {
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly start: (training: TrainingRecord, now: number) => Promise<TrainingAugmentation>;
}

/**
 * Starts the augmentation that a training asks for, and says whether it is done; asked again, it only looks. One that failed after it
 * added some rows is done: the training goes on with these, which are billed.
 * @throws {ServiceError} `nothing_to_add` where it added none or was cancelled, with its reason
 */
export async function augmentTraining(
  { trainings, runs, start }: AugmentTrainingPorts,
  context: RunContext,
  now: number,
): Promise<{ is_done: boolean }> {
  const training = await requireTraining({ trainings }, context);
  if (training.augmentation_domain_rows + training.augmentation_general_rows === 0) return { is_done: true };
  const { dataset_id, run_id } = await start(training, now);
  const run = await runs.find(dataset_id, run_id);
  if (run?.status !== 'failed') return { is_done: run?.status === 'succeeded' };
  const added = run.counts?.expanded ?? 0;
  if (added > 0 && run.error_data?.code !== 'run_cancelled') return { is_done: true };
  const what = added === 0 ? 'No rows' : `No more than ${added} rows`;
  throw new ServiceError(
    'nothing_to_add',
    `${what} could be added to the training: ${run.error_data?.message ?? 'the augmentation failed.'}`,
  );
}

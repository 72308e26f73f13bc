import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';

/** @throws {ServiceError} `run_interrupted` if there is no such training */
export async function requireTraining(
  { trainings }: { readonly trainings: Pick<TrainingRepository, 'find'> },
  { team_id, run_id }: RunContext,
): Promise<TrainingRecord> {
  const training = await trainings.find(team_id, run_id);
  if (training === null) throw new ServiceError('run_interrupted', 'The training is gone.');
  return training;
}

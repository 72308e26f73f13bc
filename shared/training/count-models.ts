import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import { hasModel } from './decide/artifact.ts';
import type { TrainingRepository } from './decide/repository.ts';

export interface CountModelsPorts {
  readonly runs: Pick<RunRepository, 'listOfDataset'>;
  readonly trainings: Pick<TrainingRepository, 'find'>;
}

/** The trainings of a dataset that left a model: it is deleted with the dataset. A comparison leaves none. */
export async function countModels(
  { runs, trainings }: CountModelsPorts,
  { dataset_id, team_id }: { readonly dataset_id: string; readonly team_id: string },
): Promise<number> {
  const all = await runs.listOfDataset(dataset_id);
  const ended = all.filter((run) => kindOf(run).makes === 'model' && run.status === 'succeeded');
  const found = await Promise.all(ended.map(({ run_id }) => trainings.find(team_id, run_id)));
  return found.filter((training) => training !== null && hasModel(training)).length;
}

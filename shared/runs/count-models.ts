import type { RunRepository } from './decide/repository.ts';
import { kindOf } from './decide/run-kinds.ts';

/** The trainings of a dataset that left a model: it is deleted with the dataset. */
export async function countModels(
  runs: Pick<RunRepository, 'listOfDataset'>,
  datasetId: string,
): Promise<number> {
  const all = await runs.listOfDataset(datasetId);
  return all.filter((run) => kindOf(run).makes === 'model' && run.status === 'succeeded').length;
}

import { deleteDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import { runs } from '#shared/runs/wire.ts';

/** The trainings of a dataset that left a model. */
async function countModels(runs: Pick<RunRepository, 'listOfDataset'>, datasetId: string): Promise<number> {
  const all = await runs.listOfDataset(datasetId);
  return all.filter((run) => kindOf(run).makes === 'model' && run.status === 'succeeded').length;
}

export const handler = serve(
  deleteDataset,
  { datasets: datasets('write'), runs: runs('read'), startErasing: starter('tasks/datasets/erase-dataset') },
  async ({ caller, params, now }, { datasets, runs, startErasing }) => {
    const { dataset_id, name } = await datasets.delete(caller, params.dataset_id, now);
    // The erasure expires the runs.
    const models = await countModels(runs, dataset_id);

    await startErasing({ dataset_id });

    const also = models === 0 ? '' : `, and ${models === 1 ? 'the model' : `${models} models`} trained on it`;
    return { message: `The dataset ${JSON.stringify(name)} was deleted${also}.` };
  },
);

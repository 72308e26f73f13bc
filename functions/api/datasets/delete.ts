import { deleteDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { runs } from '#shared/runs/wire.ts';
import { countModels } from '#shared/training/count-models.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  deleteDataset,
  {
    datasets: datasets('write'),
    runs: runs('read'),
    trainings: trainings('read'),
    startErasing: starter('tasks/datasets/erase-dataset'),
  },
  async ({ caller, params, now }, { datasets, runs, trainings, startErasing }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    // Before it is gone, so that what fails here leaves it.
    const models = await countModels({ runs, trainings }, dataset);
    const { dataset_id, name } = await datasets.delete(caller, params.dataset_id, now);

    await startErasing({ dataset_id });

    const also = models === 0 ? '' : `, and ${models === 1 ? 'the model' : `${models} models`} trained on it`;
    return { message: `The dataset ${JSON.stringify(name)} was deleted${also}.` };
  },
);

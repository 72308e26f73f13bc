import { deleteDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { starter } from '#shared/platform/wire-functions.ts';

export const handler = serve(
  deleteDataset,
  { datasets: datasets('write'), startErasing: starter('tasks/datasets/erase-dataset') },
  async ({ caller, params, now }, { datasets, startErasing }) => {
    const { dataset_id, name } = await datasets.delete(caller, params.dataset_id, now);

    await startErasing({ dataset_id });

    return { message: `The dataset ${JSON.stringify(name)} was deleted.` };
  },
);

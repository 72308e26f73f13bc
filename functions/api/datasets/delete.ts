import { deleteDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { invoker } from '#shared/platform/wire/invoker.ts';

export const handler = serve(
  deleteDataset,
  { datasets: datasets('write'), eraseDataset: invoker('tasks/datasets/erase-dataset') },
  async ({ caller, params, now }, { datasets, eraseDataset }) => {
    const { dataset_id, name } = await datasets.delete(caller, params.dataset_id, now);

    await eraseDataset.start({ dataset_id });

    return { message: `The dataset ${JSON.stringify(name)} was deleted.` };
  },
);

import { getDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { toDataset } from '#shared/runs/decide/view.ts';
import { readProgress } from '#shared/runs/wire/read-progress.ts';

export const handler = serve(
  getDataset,
  { datasets: datasets('read'), readProgress },
  async ({ caller, params }, { datasets, readProgress }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return toDataset(dataset, await readProgress(dataset));
  },
);

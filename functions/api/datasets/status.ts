import { getDatasetStatus } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { toDatasetStatus } from '#shared/runs/decide/view.ts';
import { readProgress } from '#shared/runs/wire/read-progress.ts';

export const handler = serve(
  getDatasetStatus,
  { datasets: datasets('read'), readProgress },
  async ({ caller, params }, { datasets, readProgress }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return toDatasetStatus(dataset, await readProgress(dataset));
  },
);

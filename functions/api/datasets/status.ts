import { getDatasetStatus } from '#shared/contracts/datasets.ts';
import { toDatasetStatus } from '#shared/domain/datasets/view.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { readProgress } from '#shared/runtime/deps/read-progress.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  getDatasetStatus,
  { datasets: datasets('read'), readProgress },
  async ({ caller, params }, { datasets, readProgress }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return toDatasetStatus(dataset, await readProgress(dataset));
  },
);

import { listVersions as contract } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { listVersions } from '#shared/runs/wire/list-versions.ts';

export const handler = serve(
  contract,
  { datasets: datasets('read'), listVersions },
  async ({ caller, params, query }, { datasets, listVersions }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return listVersions(dataset, query);
  },
);

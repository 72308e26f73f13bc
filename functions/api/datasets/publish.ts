import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { publishDataset } from '#shared/publishing/contracts.ts';
import { startPublication } from '#shared/publishing/wire/publications.ts';

export const handler = serve(
  publishDataset,
  { datasets: datasets('read'), startPublication },
  async ({ caller, params, body, now }, { datasets, startPublication }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return startPublication(caller, dataset, body, now);
  },
);

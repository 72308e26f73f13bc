import { datasets } from '#shared/datasets/wire/datasets.ts';
import { listRows as contract } from '#shared/exports/contracts.ts';
import { listRows } from '#shared/exports/wire/row-index.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { datasets: datasets('read'), listRows },
  async ({ caller, params, query, signal }, { datasets, listRows }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return listRows(dataset, query, signal);
  },
);

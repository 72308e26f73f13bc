import { datasets } from '#shared/datasets/wire/datasets.ts';
import { deleteVersion as contract } from '#shared/lifecycle/contracts.ts';
import { deleteVersion } from '#shared/lifecycle/wire/delete-version.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { datasets: datasets('read'), deleteVersion },
  async ({ caller, params, now }, { datasets, deleteVersion }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    await deleteVersion(dataset, Number(params.version), now);

    return { message: `Version ${params.version} of the dataset was deleted.` };
  },
);

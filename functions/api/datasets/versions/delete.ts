import { datasets, versions } from '#shared/datasets/wire.ts';
import { deleteVersion as contract } from '#shared/lifecycle/contracts.ts';
import { deleteVersion } from '#shared/lifecycle/delete-version.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { starter } from '#shared/platform/wire-functions.ts';

export const handler = serve(
  contract,
  {
    datasets: datasets('read'),
    versions: versions('write'),
    startErasing: starter('tasks/datasets/erase-version'),
  },
  async ({ caller, params, now }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    await deleteVersion(ports, dataset, Number(params.version), now);
    return { message: `Version ${params.version} of the dataset was deleted.` };
  },
);

import { lintDataset as contract } from '#shared/adaptation/contracts/lint.ts';
import { lintDataset } from '#shared/adaptation/wire/lint-dataset.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { datasets: datasets('read'), lintDataset },
  async ({ caller, params, body }, { datasets, lintDataset }) =>
    lintDataset(await datasets.require(caller, params.dataset_id), body),
);

import { lintDataset as contract } from '#shared/contracts/lint.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { lintDataset } from '#shared/runtime/deps/lint-dataset.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { datasets: datasets('read'), lintDataset },
  async ({ caller, params, body }, { datasets, lintDataset }) =>
    lintDataset(await datasets.require(caller, params.dataset_id), body),
);

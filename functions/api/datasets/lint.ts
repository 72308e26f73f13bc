import { lintDataset as contract } from '#shared/answers/contracts.ts';
import { lintDataset } from '#shared/answers/lint-dataset.ts';
import { loadCodeCheck } from '#shared/answers/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

/** Leaves time to read the last chunk and to send the response, within the 25 seconds of a request. */
const LINT_MILLISECONDS = 18_000;

export const handler = serve(
  contract,
  { datasets: datasets('read'), objects: objects({ read: ['datasets'] }), clock },
  async ({ caller, params, body }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    return lintDataset({ ...ports, loadCodeCheck, milliseconds: LINT_MILLISECONDS }, dataset, body);
  },
);

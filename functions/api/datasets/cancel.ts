import { datasets } from '#shared/datasets/wire/datasets.ts';
import { cancelDatasetRun } from '#shared/lifecycle/contracts.ts';
import { requestCancellation } from '#shared/lifecycle/wire/request-cancellation.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { toDatasetStatus } from '#shared/runs/decide/view.ts';
import { readProgress } from '#shared/runs/wire/read-progress.ts';

export const handler = serve(
  cancelDatasetRun,
  { datasets: datasets('read'), readProgress, requestCancellation },
  async ({ caller, params, now }, { datasets, readProgress, requestCancellation }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    await requestCancellation(caller, dataset, now);

    return toDatasetStatus(dataset, await readProgress(dataset));
  },
);

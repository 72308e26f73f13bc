import { datasets } from '#shared/datasets/wire.ts';
import { cancelDatasetRun } from '#shared/lifecycle/contracts.ts';
import { requestCancellation } from '#shared/lifecycle/request-cancellation.ts';
import { cancellationRequest } from '#shared/lifecycle/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { toDatasetStatus } from '#shared/runs/decide/view.ts';
import { readProgress } from '#shared/runs/read-progress.ts';

export const handler = serve(
  cancelDatasetRun,
  { ...cancellationRequest, datasets: datasets('read') },
  async ({ caller, params, now }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    await requestCancellation(ports, caller, dataset, now);
    return toDatasetStatus(dataset, await readProgress(ports.runs, dataset));
  },
);

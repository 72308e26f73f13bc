import { extendTrajectories as contract } from '#shared/growth/contracts/grow.ts';
import { launchExtension } from '#shared/growth/launch-extension.ts';
import { growthLaunch } from '#shared/growth/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { modelConcurrency } from '#shared/runs/wire.ts';

export const handler = serve(
  contract,
  { ...growthLaunch, modelConcurrency },
  ({ caller, params, body, now }, ports) =>
    launchExtension(ports, { caller, datasetId: params.dataset_id, request: body, now }),
);

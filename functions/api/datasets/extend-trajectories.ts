import { extendTrajectories as contract } from '#shared/contracts/grow.ts';
import { launchExtension } from '#shared/runtime/deps/launch-growth.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { launchExtension },
  async ({ caller, params, body, now }, { launchExtension }) =>
    launchExtension({ caller, datasetId: params.dataset_id, request: body, now }),
);

import { extendTrajectories as contract } from '#shared/growth/contracts/grow.ts';
import { launchExtension } from '#shared/growth/wire/launch-growth.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { launchExtension },
  async ({ caller, params, body, now }, { launchExtension }) =>
    launchExtension({ caller, datasetId: params.dataset_id, request: body, now }),
);

import { adaptDataset } from '#shared/adaptation/contracts/adaptation.ts';
import { launchAdaptation } from '#shared/adaptation/wire/launch-adaptation.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  adaptDataset,
  { launchAdaptation },
  async ({ caller, params, body, now }, { launchAdaptation }) =>
    launchAdaptation({ caller, datasetId: params.dataset_id, route: 'adapt', request: body, now }),
);

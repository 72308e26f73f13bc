import { adaptDataset } from '#shared/contracts/adaptation.ts';
import { launchAdaptation } from '#shared/runtime/deps/launch-adaptation.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  adaptDataset,
  { launchAdaptation },
  async ({ caller, params, body, now }, { launchAdaptation }) =>
    launchAdaptation({ caller, datasetId: params.dataset_id, route: 'adapt', request: body, now }),
);

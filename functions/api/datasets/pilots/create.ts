import { createPilot } from '#shared/pilots/contracts.ts';
import { launchPilot } from '#shared/pilots/wire/launch-pilot.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  createPilot,
  { launchPilot },
  async ({ caller, params, body, now }, { launchPilot }) =>
    launchPilot({ caller, datasetId: params.dataset_id, request: body, now }),
);

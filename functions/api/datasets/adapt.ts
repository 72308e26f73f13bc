import { adaptDataset } from '#shared/adaptation/contracts/adaptation.ts';
import { launchAdaptation } from '#shared/adaptation/wire/launch-adaptation.ts';
import { resolvePilotArm } from '#shared/pilots/wire/resolve-arm.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  adaptDataset,
  { launchAdaptation, resolvePilotArm },
  async ({ caller, params, body, now }, { launchAdaptation, resolvePilotArm }) => {
    const input = { caller, datasetId: params.dataset_id, route: 'adapt' as const, now };
    if (body.pilot_id === undefined && body.pilot_arm === undefined) {
      return launchAdaptation({ ...input, request: body });
    }
    const { request, piloted } = await resolvePilotArm(caller, params.dataset_id, body);
    return launchAdaptation({ ...input, request, asked: body, piloted });
  },
);

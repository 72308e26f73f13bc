import { adaptDataset } from '#shared/adaptation/contracts/adaptation.ts';
import { launchAdaptation } from '#shared/adaptation/launch-adaptation.ts';
import { adaptationLaunch } from '#shared/adaptation/wire.ts';
import { resolveArm } from '#shared/pilots/resolve-arm.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = serve(
  adaptDataset,
  { ...adaptationLaunch, runs: runs('read'), pilotObjects: objects({ read: ['runs'] }) },
  async ({ caller, params, body, now }, { runs, pilotObjects, ...launching }) => {
    const input = { caller, datasetId: params.dataset_id, route: 'adapt' as const, now };
    if (body.pilot_id === undefined && body.pilot_arm === undefined) {
      return launchAdaptation(launching, { ...input, request: body });
    }
    const dataset = await launching.datasets.require(caller, params.dataset_id);
    const { request, piloted } = await resolveArm({ runs, objects: pilotObjects }, dataset, body);
    return launchAdaptation(launching, { ...input, request, asked: body, piloted });
  },
);

import { runDataset } from '#shared/adaptation/contracts/adaptation.ts';
import { launchAdaptation } from '#shared/adaptation/launch-adaptation.ts';
import { adaptationLaunch } from '#shared/adaptation/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

/** The older name of `/adapt`: one operation, so that a key used on one route replays on the other. */
export const handler = serve(runDataset, adaptationLaunch, async ({ caller, params, body, now }, ports) =>
  launchAdaptation(ports, { caller, datasetId: params.dataset_id, route: 'run', request: body, now }),
);

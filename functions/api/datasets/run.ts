import { runDataset } from '#shared/adaptation/contracts/adaptation.ts';
import { launchAdaptation } from '#shared/adaptation/launch-adaptation.ts';
import { adaptationLaunch } from '#shared/adaptation/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

/** The older form of `/adapt`: one operation. It reads the same body in another way, so a key of one route is refused on the other. */
export const handler = serve(runDataset, adaptationLaunch, async ({ caller, params, body, now }, ports) =>
  launchAdaptation(ports, {
    caller,
    datasetId: params.dataset_id,
    route: 'run',
    request: body,
    asked: { run: body },
    now,
  }),
);

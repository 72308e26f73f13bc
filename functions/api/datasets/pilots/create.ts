import { answerModel, hasSearch, speeds } from '#shared/adaptation/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { createPilot } from '#shared/pilots/contracts.ts';
import { launchPilot } from '#shared/pilots/launch-pilot.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchRun, modelConcurrency } from '#shared/runs/wire.ts';

export const handler = serve(
  createPilot,
  {
    datasets: datasets('write'),
    objects: objects({ read: ['datasets'] }),
    launchRun: launchRun(['pilot'], { write: ['runs'] }),
    modelConcurrency,
    speeds: speeds('read'),
    answerModel,
    hasSearch,
  },
  ({ caller, params, body, now }, ports) =>
    launchPilot(ports, { caller, datasetId: params.dataset_id, request: body, now }),
);

import { datasets } from '#shared/datasets/wire.ts';
import { reviewPilot } from '#shared/pilots/contracts.ts';
import { pilotReader } from '#shared/pilots/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  reviewPilot,
  { datasets: datasets('read'), pilotReader },
  async ({ caller, params, body }, { datasets, pilotReader }) =>
    pilotReader.review(await datasets.require(caller, params.dataset_id), params.pilot_id, body),
);

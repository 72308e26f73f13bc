import { datasets } from '#shared/datasets/wire.ts';
import { getPilot } from '#shared/pilots/contracts.ts';
import { pilotReader } from '#shared/pilots/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getPilot,
  { datasets: datasets('read'), pilotReader },
  async ({ caller, params }, { datasets, pilotReader }) =>
    pilotReader.read(await datasets.require(caller, params.dataset_id), params.pilot_id),
);

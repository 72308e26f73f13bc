import { datasets } from '#shared/datasets/wire.ts';
import { listPilots } from '#shared/pilots/contracts.ts';
import { pilotReader } from '#shared/pilots/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  listPilots,
  { datasets: datasets('read'), pilotReader },
  async ({ caller, params }, { datasets, pilotReader }) => ({
    items: await pilotReader.list(await datasets.require(caller, params.dataset_id)),
  }),
);

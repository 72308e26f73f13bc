import { datasets } from '#shared/datasets/wire.ts';
import { getPilotRows } from '#shared/pilots/contracts.ts';
import { pilotReader } from '#shared/pilots/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getPilotRows,
  { datasets: datasets('read'), pilotReader },
  async ({ caller, params, query }, { datasets, pilotReader }) =>
    pilotReader.rows(await datasets.require(caller, params.dataset_id), params.pilot_id, query),
);

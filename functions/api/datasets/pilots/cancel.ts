import { datasets } from '#shared/datasets/wire.ts';
import { requestCancellation } from '#shared/lifecycle/request-cancellation.ts';
import { cancellationRequest } from '#shared/lifecycle/wire.ts';
import { cancelPilot } from '#shared/pilots/contracts.ts';
import { pilotReader } from '#shared/pilots/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  cancelPilot,
  { ...cancellationRequest, datasets: datasets('read'), pilotReader },
  async ({ caller, params, now }, { datasets, pilotReader, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const pilot = await pilotReader.read(dataset, params.pilot_id);
    if (pilot.status !== 'running') return pilot;
    const { pilot_id } = pilot;
    await requestCancellation(ports, caller, { dataset_id: dataset.dataset_id, run_id: pilot_id }, now);

    return pilotReader.read(dataset, pilot_id);
  },
);

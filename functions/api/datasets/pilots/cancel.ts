import { datasets } from '#shared/datasets/wire/datasets.ts';
import { requestCancellation } from '#shared/lifecycle/wire/request-cancellation.ts';
import { cancelPilot } from '#shared/pilots/contracts.ts';
import { pilotReader } from '#shared/pilots/wire/read-pilots.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  cancelPilot,
  { datasets: datasets('read'), pilotReader, requestCancellation },
  async ({ caller, params, now }, { datasets, pilotReader, requestCancellation }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const pilot = await pilotReader.read(dataset, params.pilot_id);
    if (pilot.status !== 'running') return pilot;
    const { pilot_id } = pilot;
    await requestCancellation(caller, { dataset_id: dataset.dataset_id, run_id: pilot_id }, now);

    return pilotReader.read(dataset, pilot_id);
  },
);

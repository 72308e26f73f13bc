import { datasets } from '#shared/datasets/wire.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import { startAdaption } from '#shared/ingest/contracts.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  startAdaption,
  { datasets: datasets('write'), launchRun: launchRun(['ingest', 'import']) },
  async ({ caller, params, now }, { datasets, launchRun }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    if (dataset.state !== 'awaiting_preprocessing') {
      throw new ServiceError(
        'dataset_not_ready',
        'The dataset does not wait to be started: only an upload completed with defer_adaption does.',
      );
    }

    return startIngest(launchRun, { caller, dataset, changes: {}, now });
  },
);

import { datasets } from '#shared/datasets/wire/datasets.ts';
import { startAdaption } from '#shared/ingest/contracts.ts';
import { startIngest } from '#shared/ingest/wire/start-ingest.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  startAdaption,
  { datasets: datasets('write'), startIngest },
  async ({ caller, params, now }, { datasets, startIngest }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    if (dataset.state !== 'awaiting_preprocessing') {
      throw new ServiceError(
        'dataset_not_ready',
        'The dataset does not wait to be started: only an upload completed with defer_adaption does.',
      );
    }

    return startIngest({ caller, dataset, changes: {}, now });
  },
);

import { publishDataset } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  publishDataset,
  { datasets: datasets('read') },
  async ({ caller, params }, { datasets }) => {
    await datasets.require(caller, params.dataset_id);

    throw new ServiceError(
      'publish_not_implemented',
      'Publishing is not implemented. Download the dataset and upload it to the platform yourself.',
    );
  },
);

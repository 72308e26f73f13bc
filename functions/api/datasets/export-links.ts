import { getExportLinks } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

/** Publishing to a platform is not implemented, so there are no links. */
export const handler = serve(
  getExportLinks,
  { datasets: datasets('read') },
  async ({ caller, params }, { datasets }) => {
    await datasets.require(caller, params.dataset_id);

    return { huggingface: null, kaggle: null, google_sheets: null };
  },
);

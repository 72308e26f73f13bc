import { getExportLinks } from '#shared/contracts/datasets.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { serve } from '#shared/runtime/serve.ts';

/** No export to a platform exists while publishing is not implemented, so there is no link to answer. */
export const handler = serve(
  getExportLinks,
  { datasets: datasets('read') },
  async ({ caller, params }, { datasets }) => {
    await datasets.require(caller, params.dataset_id);

    return { huggingface: null, kaggle: null, google_sheets: null };
  },
);

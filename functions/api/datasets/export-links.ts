import { getExportLinks } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { kindOf } from '#shared/publishing/decide/record.ts';
import { publications } from '#shared/publishing/wire.ts';

/** Links of what was published last. */
export const handler = serve(
  getExportLinks,
  { datasets: datasets('read'), publications: publications('read') },
  async ({ caller, params }, { datasets, publications }) => {
    const { dataset_id } = await datasets.require(caller, params.dataset_id);
    const published = (await publications.list(dataset_id)).filter(
      (publication) => publication.status === 'succeeded' && kindOf(publication) === 'dataset',
    );
    const linkTo = (platform: string) => published.find(({ target }) => target === platform)?.url ?? null;

    return { huggingface: linkTo('huggingface'), kaggle: linkTo('kaggle'), google_sheets: null };
  },
);

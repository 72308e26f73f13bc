import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { getPublication } from '#shared/publishing/contracts.ts';
import { shownPublication, toPublication } from '#shared/publishing/decide/record.ts';
import { publications } from '#shared/publishing/wire.ts';

export const handler = serve(
  getPublication,
  { datasets: datasets('read'), publications: publications('read') },
  async ({ caller, params, now }, { datasets, publications }) => {
    const { dataset_id } = await datasets.require(caller, params.dataset_id);
    const found = await publications.find(dataset_id, params.publish_id);
    return toPublication(shownPublication(found), now);
  },
);

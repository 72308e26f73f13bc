import { datasets } from '#shared/datasets/wire/datasets.ts';
import { getAppend } from '#shared/ingest/contracts.ts';
import { findAppend } from '#shared/ingest/wire/append-rows.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getAppend,
  { datasets: datasets('read'), findAppend },
  async ({ caller, params }, { datasets, findAppend }) => {
    const { dataset_id } = await datasets.require(caller, params.dataset_id);

    return findAppend(dataset_id, params.append_id);
  },
);

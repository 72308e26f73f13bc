import { datasets } from '#shared/datasets/wire/datasets.ts';
import { appendRows as contract } from '#shared/ingest/contracts.ts';
import { appendRows } from '#shared/ingest/wire/append-rows.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { datasets: datasets('read'), appendRows },
  async ({ caller, params, body, idempotencyKey, now }, { datasets, appendRows }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    return appendRows({ caller, dataset, request: body, idempotencyKey, now });
  },
);

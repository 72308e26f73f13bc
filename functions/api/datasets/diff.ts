import { datasets } from '#shared/datasets/wire/datasets.ts';
import { getDiff } from '#shared/exports/contracts.ts';
import { readDiff } from '#shared/exports/wire/diff.ts';
import { replyJson, serve } from '#shared/platform/runtime/serve.ts';

const RETRY_AFTER_SECONDS = '5';

export const handler = serve(
  getDiff,
  { datasets: datasets('read'), readDiff },
  async ({ caller, params, query, now }, { datasets, readDiff }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    const diff = await readDiff(dataset, query, now);

    if (diff.status === 'ready') return diff;
    const { from, to } = query;
    const location = `/api/v1/datasets/${dataset.dataset_id}/diff?from=${from}&to=${to}`;
    return replyJson(202, diff, { 'retry-after': RETRY_AFTER_SECONDS, location });
  },
);

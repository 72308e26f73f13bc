import { datasets, versions } from '#shared/datasets/wire.ts';
import { getDiff } from '#shared/exports/contracts.ts';
import { readDiff } from '#shared/exports/read-diff.ts';
import { replyJson, serve } from '#shared/platform/runtime/serve.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { runs } from '#shared/runs/wire.ts';

const RETRY_AFTER_SECONDS = '5';

export const handler = serve(
  getDiff,
  {
    datasets: datasets('read'),
    versions: versions('read'),
    runs: runs('read'),
    objects: objects({ read: ['datasets', 'exports', 'runs'] }),
    claims: claims('write'),
    startDiff: starter('tasks/exports/build-diff'),
  },
  async ({ caller, params, query, now }, { datasets, ...ports }) => {
    const dataset = await datasets.require(caller, params.dataset_id);

    const diff = await readDiff(ports, dataset, query, now);

    if (diff.status === 'ready') return diff;
    const { from, to } = query;
    const location = `/api/v1/datasets/${dataset.dataset_id}/diff?from=${from}&to=${to}`;
    return replyJson(202, diff, { 'retry-after': RETRY_AFTER_SECONDS, location });
  },
);

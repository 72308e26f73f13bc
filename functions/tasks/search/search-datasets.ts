import { datasets } from '#shared/datasets/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { models } from '#shared/models/wire-providers.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims, random } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { searchDatasets as contract } from '#shared/responses/background.ts';
import { IndexCache } from '#shared/responses/index-cache.ts';
import { answerSearch } from '#shared/responses/search-datasets.ts';
import { executions, runs } from '#shared/runs/wire.ts';

/** Two fifths of the function's memory: evicted data stay until garbage collection, next to their replacement. */
const CACHE_BYTES_MAX = 1_200_000_000;
/** A caller waits for the response. */
const OUTAGE_SECONDS_MAX = 10;

const bucket = objects({ read: ['datasets'] });

export const handler = runTask(
  contract,
  {
    datasets: datasets('read'),
    runs: runs('read'),
    objects: bucket,
    executions: executions({ starts: ['build-index'], observes: ['build-index'] }),
    claims: claims('read'),
    // One for the process: it keeps indexes between searches.
    cache: need([bucket], (use) => new IndexCache(use(bucket), CACHE_BYTES_MAX)),
    configured: models(['embed'], () => 2),
    clock,
    random,
  },
  async (request, { configured, ...ports }) => {
    const embedder = (await configured()).embedder();
    return answerSearch({ ...ports, embedder, callsMax: 1, outageSecondsMax: OUTAGE_SECONDS_MAX }, request);
  },
);

import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { models } from '#shared/models/wire/models.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createExecutions } from '#shared/runs/adapters/executions.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { IndexCache } from '../index-cache.ts';
import type { SearchAnswer, SearchRequest } from '../schema/dataset-search.ts';
import { answerSearch } from '../search-datasets.ts';

/** Two fifths of the function's memory: evicted data stay until garbage collection, next to their replacement. */
const CACHE_BYTES_MAX = 1_200_000_000;
/** A caller waits for the response. */
const OUTAGE_SECONDS_MAX = 10;

const embedding = /* @__PURE__ */ models(['embed'], () => 2);

/** Searches datasets; caches their indexes between searches. */
export const searchDatasets = /* @__PURE__ */ need<(request: SearchRequest) => Promise<SearchAnswer>>(
  [
    embedding,
    {
      table: 'read',
      bucket: { read: ['datasets'] },
      starts: ['build-index'],
      observes: ['build-index'],
    },
  ],
  () => {
    const cache = new IndexCache(theObjects(), CACHE_BYTES_MAX);
    return async (request) =>
      answerSearch(
        {
          datasets: createDatasetRepository(theTable()),
          runs: createRunRepository(theTable()),
          objects: theObjects(),
          executions: createExecutions((pipeline) => env.stateMachineArn(pipeline)),
          cache,
          embedder: (await embedding.get()()).embedder(),
          callsMax: 1,
          outageSecondsMax: OUTAGE_SECONDS_MAX,
          clock: systemClock,
          random: Math.random,
        },
        request,
      );
  },
);

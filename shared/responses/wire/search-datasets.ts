import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { models } from '#shared/models/wire/models.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theExecutions } from '#shared/runs/wire/executions.ts';
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
  (use) => {
    const cache = new IndexCache(use(theObjects), CACHE_BYTES_MAX);
    return async (request) =>
      answerSearch(
        {
          datasets: createDatasetRepository(use(theTable)),
          runs: createRunRepository(use(theTable)),
          objects: use(theObjects),
          executions: use(theExecutions),
          claims: createClaims(use(theTable)),
          cache,
          embedder: (await use(embedding)()).embedder(),
          callsMax: 1,
          outageSecondsMax: OUTAGE_SECONDS_MAX,
          clock: use(theClock),
          random: use(theRandom),
        },
        request,
      );
  },
);

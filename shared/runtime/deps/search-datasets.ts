import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { createExecutions } from '../../adapters/stepfunctions/executions.ts';
import { IndexCache } from '../../operations/index-cache.ts';
import { answerSearch } from '../../operations/search-datasets.ts';
import type { SearchAnswer, SearchRequest } from '../../schema/dataset-search.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

/** Two fifths of the function's memory: evicted data stay until garbage collection, next to their replacement. */
const CACHE_BYTES_MAX = 1_200_000_000;
/** A caller waits for the response. */
const OUTAGE_SECONDS_MAX = 10;

const embedding = models(['embed'], () => 2);

/** Searches datasets; caches their indexes between searches. */
export const searchDatasets = need<(request: SearchRequest) => Promise<SearchAnswer>>(
  {
    ...embedding.uses,
    table: 'read',
    bucket: { read: ['datasets'] },
    starts: ['build-index'],
    observes: ['build-index'],
  },
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

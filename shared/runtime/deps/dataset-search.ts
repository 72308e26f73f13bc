import type { DatasetSearch } from '../../domain/responses/dataset-search.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { once } from '../once.ts';
import { outgoingTrace } from '../trace.ts';

const SEARCH = 'tasks/search/search-datasets';

/** Dataset search through the function with the index cache. The Lambda client is loaded with the first search. */
export const datasetSearch = need<DatasetSearch>({ invokes: [SEARCH] }, () => {
  const loaded = once(async () => {
    const { createDatasetSearch } = await import('../../adapters/lambda/dataset-search.ts');
    return createDatasetSearch(env.functionName(SEARCH), { trace: outgoingTrace });
  });
  return {
    search: async (...asked) => (await loaded()).search(...asked),
    requireSearchable: async (...asked) => (await loaded()).requireSearchable(...asked),
  };
});

import { need, resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { DatasetSearch } from '../decide/dataset-search.ts';

const SEARCH = 'tasks/search/search-datasets';

/** Dataset search through the function with the index cache. The Lambda client is loaded with the first search. */
export const theDatasetSearch = /* @__PURE__ */ resource<DatasetSearch>('dataset search', ({ env }) => {
  const loaded = once(async () => {
    const { createDatasetSearch } = await import('../adapters/dataset-search.ts');
    return createDatasetSearch(env.functionName(SEARCH), { trace: outgoingTrace });
  });
  return {
    search: async (...asked) => (await loaded()).search(...asked),
    requireSearchable: async (...asked) => (await loaded()).requireSearchable(...asked),
  };
});

export const datasetSearch = /* @__PURE__ */ need({ invokes: [SEARCH] }, (use) => use(theDatasetSearch));

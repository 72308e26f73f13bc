import { createDatasetSearch } from '../../adapters/lambda/dataset-search.ts';
import type { DatasetSearch } from '../../domain/responses/dataset-search.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { outgoingTrace } from '../trace.ts';

const SEARCH = 'tasks/search/search-datasets';

/** Searches datasets by the function that holds their indexes. */
export const datasetSearch = need<DatasetSearch>({ invokes: [SEARCH] }, () =>
  createDatasetSearch(env.functionName(SEARCH), { trace: outgoingTrace }),
);

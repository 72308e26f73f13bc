import { searchDatasets as contract } from '#shared/pipelines/background.ts';
import { searchDatasets } from '#shared/runtime/deps/search-datasets.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { searchDatasets }, (request, { searchDatasets }) =>
  searchDatasets(request),
);

import { runTask } from '#shared/platform/runtime/task.ts';
import { searchDatasets as contract } from '#shared/responses/background.ts';
import { searchDatasets } from '#shared/responses/wire/search-datasets.ts';

export const handler = runTask(contract, { searchDatasets }, (request, { searchDatasets }) =>
  searchDatasets(request),
);

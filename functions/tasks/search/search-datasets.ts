import { runTask } from '#shared/platform/runtime/task.ts';
import { searchDatasets } from '#shared/responses/wire/search-datasets.ts';
import { searchDatasets as contract } from '#shared/service/pipelines/background.ts';

export const handler = runTask(contract, { searchDatasets }, (request, { searchDatasets }) =>
  searchDatasets(request),
);

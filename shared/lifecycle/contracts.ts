import { DatasetStatusRecord } from '#shared/datasets/schema/dataset.ts';
import { endpoint } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';

export const cancelDatasetRun = endpoint({
  id: 'datasets.cancel',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/cancel',
  summary: 'Cancel the active run of a dataset',
  description:
    'Returns at once. The workers get a few seconds to store what they have finished; then the dataset is `failed` with ' +
    '`run_cancelled`: poll its status. A repeated request changes nothing. Without an active run the answer is a 409, and ' +
    'so it is for a run that makes rows, which are delivered and billed together. A training is cancelled by its own route.',
  data: 'Ends the run. Rows that are finished can be downloaded, and rows of earlier runs stay.',
  credits: 'Finished rows are charged; the other reserved credits are released.',
  tag: 'Datasets',
  scope: 'datasets:write',
  params: DatasetParams,
  status: 202,
  response: DatasetStatusRecord,
  errors: ['dataset_not_found', 'dataset_not_ready', 'dataset_running'],
});

import { DatasetStatusRecord, Message } from '#shared/datasets/schema/dataset.ts';
import { VersionParams } from '#shared/datasets/schema/version.ts';
import { endpoint } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams, text } from '#shared/platform/schema/common.ts';

export const cancelDatasetRun = endpoint({
  id: 'datasets.cancel',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/cancel',
  summary: 'Cancel the active run of a dataset',
  description:
    'Returns at once. The workers get a few seconds to store what they have finished; then the dataset is `failed` with ' +
    '`run_cancelled`: poll its status. A run that makes rows first delivers those that are done. A repeated request changes ' +
    'nothing. Without an active run the answer is a 409. A training is cancelled by its own route.',
  data: 'Ends the run. Rows that are finished can be downloaded, and rows of earlier runs stay.',
  credits: 'Finished rows are charged; the other reserved credits are released.',
  tag: 'Datasets',
  scope: 'datasets:write',
  params: DatasetParams,
  status: 202,
  response: DatasetStatusRecord,
  errors: ['dataset_not_found', 'dataset_not_ready'],
});

const DeletedVersion = Message.extend({
  message: text('Version 2 of the dataset was deleted.').describe('What was done.'),
});

export const deleteVersion = endpoint({
  id: 'datasets.versions.delete',
  method: 'DELETE',
  path: '/api/v1/datasets/{dataset_id}/versions/{version}',
  summary: 'Delete a version that an adaptation made',
  description:
    'Refused while its run is active, while an active training reads it, and for the version that reads without a version ' +
    'mean. Versions of an upload or an append stay: others are made of their rows. The list of versions keeps it as ' +
    '`deleted`, and no other version gets its number. Recorded model calls stay, for later runs to reuse: they belong to ' +
    'the dataset, and go with it.',
  data: 'Deletes the version at once. Its results, exports, row index and comparisons, and the report of its run, are erased within a day. This cannot be undone.',
  credits: 'Costs no credits. Credits that were charged are not refunded.',
  tag: 'Datasets',
  scope: 'datasets:write',
  params: VersionParams,
  status: 200,
  response: DeletedVersion,
  errors: ['dataset_not_found', 'version_not_found', 'version_in_use'],
});

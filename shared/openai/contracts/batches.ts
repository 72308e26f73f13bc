import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { Batch, BatchPage, BatchParams, CreateBatchRequest, ListBatchesQuery } from '../schema/batches.ts';

const all = { tag: 'OpenAI', scope: 'responses', status: 200 } as const;

export const createBatch = endpoint({
  ...all,
  id: 'batches.create',
  method: 'POST',
  path: '/api/v1/batches',
  summary: 'Answer the requests of a file, as in OpenAI’s API',
  description:
    'Each line of the file is a request to the same endpoint. They are answered as by that endpoint, one after another, within a ' +
    'day; each ends in one of two files: answers in one, requests without an answer with the reason in the other.',
  data: 'Stores the answers for 30 days. The file is read, never changed.',
  credits:
    'Charges the tokens of each answer at the price of its model, when it is given. Requests that are not sent cost nothing.',
  counts: { use: 'scans_per_hour' },
  body: CreateBatchRequest,
  response: Batch,
  errors: ['dataset_not_found', 'rows_pending', 'runs_limit_reached'],
});

export const listBatches = endpoint({
  ...all,
  id: 'batches.list',
  method: 'GET',
  path: '/api/v1/batches',
  summary: 'List the batches of the team',
  description: 'Those of the last 30 days, the newest first.',
  data: READS_ONLY,
  credits: FREE,
  // All of them are read for the order: each may have 70 kilobytes of metadata and faults.
  counts: { use: 'scans_per_hour' },
  query: ListBatchesQuery,
  response: BatchPage,
  errors: [],
});

export const getBatch = endpoint({
  ...all,
  id: 'batches.get',
  method: 'GET',
  path: '/api/v1/batches/{batch_id}',
  summary: 'Get a batch',
  data: 'Changes no rows. If the work on the batch stands still, it is taken up again.',
  credits: FREE,
  params: BatchParams,
  response: Batch,
  errors: ['batch_not_found'],
});

export const cancelBatch = endpoint({
  ...all,
  id: 'batches.cancel',
  method: 'POST',
  path: '/api/v1/batches/{batch_id}/cancel',
  summary: 'Cancel a batch',
  description:
    'Requests that are being answered are finished; then the status is `cancelled`, and what was answered is in the output file. A ' +
    'batch that has ended is answered as it is.',
  data: 'Ends the batch. Answers stay.',
  credits: FREE,
  params: BatchParams,
  response: Batch,
  errors: ['batch_not_found'],
});

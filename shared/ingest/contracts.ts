import * as z from 'zod';
import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { Append, AppendParams, AppendRequest } from './schema/append.ts';
import {
  CompleteBatchRequest,
  CompleteUploadByIdRequest,
  CompleteUploadRequest,
  CompleteUploadResponse,
  InitiateBatchRequest,
  InitiateBatchResponse,
  InitiateUploadRequest,
  InitiateUploadResponse,
} from './schema/uploads.ts';

export const initiateUpload = endpoint({
  id: 'datasets.uploads.initiate',
  method: 'POST',
  path: '/api/v1/datasets/upload/initiate',
  summary: 'Get a URL to upload a file to',
  data: 'Reserves an object key; no dataset is created until the upload is completed.',
  credits: FREE,
  tag: 'Uploads',
  scope: 'datasets:write',
  body: InitiateUploadRequest,
  status: 200,
  response: InitiateUploadResponse,
  errors: ['uploads_limit_reached'],
});

const completeErrors = [
  'upload_missing',
  'upload_mismatch',
  'file_too_large',
  'column_unknown',
  'file_empty',
  'file_unreadable',
  'dataset_not_ready',
  'dataset_not_found',
] as const;

export const completeUpload = endpoint({
  id: 'datasets.uploads.complete',
  method: 'POST',
  path: '/api/v1/datasets/upload/complete',
  summary: 'Make a dataset of an uploaded file',
  data: 'Creates a dataset of the uploaded file and starts reading it.',
  credits: FREE,
  tag: 'Uploads',
  scope: 'datasets:write',
  counts: { use: 'creations_per_hour' },
  body: CompleteUploadRequest,
  status: 202,
  response: CompleteUploadResponse,
  errors: completeErrors,
});

export const completeUploadById = endpoint({
  id: 'datasets.uploads.complete-by-id',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/upload/complete',
  summary: 'Complete the upload of a dataset',
  data: 'Starts reading the uploaded file. Repeating the call changes nothing.',
  credits: FREE,
  tag: 'Uploads',
  scope: 'datasets:write',
  params: DatasetParams,
  body: CompleteUploadByIdRequest,
  status: 200,
  response: CompleteUploadResponse,
  errors: completeErrors,
});

export const initiateBatch = endpoint({
  id: 'datasets.uploads.initiate-batch',
  method: 'POST',
  path: '/api/v1/datasets/upload/initiate-batch',
  summary: 'Get URLs to upload the files of one dataset to',
  description:
    'A batch has either documents or tables. Its files become one dataset, one file’s rows after another’s, in the order ' +
    'in which complete-batch names them. The URLs work for an hour, each for a file of the size that was announced.',
  data: 'Creates a dataset that waits for its files.',
  credits: FREE,
  tag: 'Uploads',
  scope: 'datasets:write',
  counts: { use: 'creations_per_hour' },
  body: InitiateBatchRequest,
  status: 200,
  response: InitiateBatchResponse,
  errors: ['file_too_large', 'uploads_limit_reached'],
});

export const completeBatch = endpoint({
  id: 'datasets.uploads.complete-batch',
  method: 'POST',
  path: '/api/v1/datasets/upload/complete-batch',
  summary: 'Make one dataset of the uploaded files of a batch',
  description:
    'Files that are not named stay out. `preprocessing_failed` says that they do not have the same columns: the dataset ' +
    'has failed, and its error_data says which columns differ.',
  data: 'Joins the rows of the uploaded files and starts reading them.',
  credits: FREE,
  tag: 'Uploads',
  scope: 'datasets:write',
  body: CompleteBatchRequest,
  status: 202,
  response: CompleteUploadResponse,
  errors: [
    'dataset_not_found',
    'dataset_not_ready',
    'upload_missing',
    'upload_mismatch',
    'file_too_large',
    'file_empty',
    'file_unreadable',
  ],
});

export const appendRows = endpoint({
  id: 'datasets.rows.append',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/rows',
  summary: 'Append rows to a dataset',
  description:
    'Takes rows (`rows`), or a file in two steps: `file` answers where to upload it, `s3_key` appends it. The rows have the ' +
    'columns and types of the dataset; one that does not fit is refused with all others, by row and column. An append waits ' +
    'for the run that is active. It makes a new version: what was adapted, evaluated or trained keeps its own. The dataset ' +
    'then waits for an adaptation. With the settings of the last one, and a new idempotency_key, it asks models about the new ' +
    'rows only and charges those; rows in other languages and those of a run with web search are asked about and charged again. ' +
    'Returns at once: poll the append.',
  data: 'Adds rows; changes none.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:write',
  readsIdempotencyKey: true,
  params: DatasetParams,
  body: AppendRequest,
  status: 202,
  response: Append,
  errors: [
    'dataset_not_found',
    'dataset_not_ready',
    'schema_mismatch',
    'upload_missing',
    'file_too_large',
    'uploads_limit_reached',
    'runs_limit_reached',
    'idempotency_mismatch',
  ],
});

export const getAppend = endpoint({
  id: 'datasets.appends.get',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/appends/{append_id}',
  summary: 'Get an append: whether its rows are there',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: AppendParams,
  status: 200,
  response: Append,
  errors: ['dataset_not_found', 'append_not_found'],
});

export const startAdaption = endpoint({
  id: 'datasets.start-adaption',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/start-adaption',
  summary: 'Start the processing of a deferred upload',
  data: 'Starts reading the stored file. Rows appear when `row_count` is set.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:write',
  params: DatasetParams,
  body: z.strictObject({}).optional(),
  status: 200,
  response: CompleteUploadResponse,
  errors: ['dataset_not_found', 'dataset_not_ready'],
});

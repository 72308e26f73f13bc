import { DatasetParams } from '../schema/common.ts';
import {
  CompleteUploadByIdRequest,
  CompleteUploadRequest,
  CompleteUploadResponse,
  InitiateUploadRequest,
  InitiateUploadResponse,
} from '../schema/uploads.ts';
import { endpoint } from './endpoint.ts';

export const initiateUpload = endpoint({
  id: 'datasets.uploads.initiate',
  method: 'POST',
  path: '/api/v1/datasets/upload/initiate',
  summary: 'Get a URL to upload a file to',
  tag: 'Uploads',
  scope: 'datasets:write',
  body: InitiateUploadRequest,
  status: 200,
  response: InitiateUploadResponse,
  errors: [],
  uses: { bucket: { write: ['uploads'] } },
});

const completeErrors = [
  'upload_missing',
  'upload_mismatch',
  'file_too_large',
  'column_unknown',
  'file_empty',
  'file_unreadable',
  'dataset_not_ready',
] as const;

const completeUses = {
  table: 'write',
  bucket: { read: ['uploads'], write: ['datasets'] },
  starts: ['ingest'],
} as const;

export const completeUpload = endpoint({
  id: 'datasets.uploads.complete',
  method: 'POST',
  path: '/api/v1/datasets/upload/complete',
  summary: 'Make a dataset of an uploaded file',
  tag: 'Uploads',
  scope: 'datasets:write',
  body: CompleteUploadRequest,
  status: 202,
  response: CompleteUploadResponse,
  errors: completeErrors,
  uses: completeUses,
});

export const completeUploadById = endpoint({
  id: 'datasets.uploads.complete-by-id',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/upload/complete',
  summary: 'Complete the upload of a dataset',
  tag: 'Uploads',
  scope: 'datasets:write',
  params: DatasetParams,
  body: CompleteUploadByIdRequest,
  status: 200,
  response: CompleteUploadResponse,
  errors: [...completeErrors, 'dataset_not_found'],
  uses: completeUses,
});

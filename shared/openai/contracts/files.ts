import { deleteDataset, downloadDataset } from '#shared/datasets/contracts.ts';
import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import {
  CreateFileForm,
  DeletedFile,
  FileObject,
  FilePage,
  FileParams,
  ListFilesQuery,
} from '../schema/files.ts';

const base = { tag: 'OpenAI', credits: FREE, status: 200 } as const;

export const createFile = endpoint({
  ...base,
  id: 'files.create',
  method: 'POST',
  path: '/api/v1/files',
  summary: 'Upload a file, as in OpenAI’s API',
  description:
    'The body is a form of at most 4 MiB. A larger file is uploaded by a link (`POST /api/v1/datasets`), and is a file ' +
    'with the same id afterwards. The name has an extension of a format of datasets; one without is taken as JSON Lines.',
  data: 'Creates a dataset of the file, in raw mode, and starts reading it.',
  scope: 'datasets:write',
  form: CreateFileForm,
  response: FileObject,
  errors: [],
});

export const listFiles = endpoint({
  ...base,
  id: 'files.list',
  method: 'GET',
  path: '/api/v1/files',
  summary: 'List the files of the team',
  description: 'All datasets of the team are files, those too that did not come by this API.',
  data: READS_ONLY,
  scope: 'datasets:read',
  query: ListFilesQuery,
  response: FilePage,
  errors: ['dataset_not_found'],
});

export const getFile = endpoint({
  ...base,
  id: 'files.get',
  method: 'GET',
  path: '/api/v1/files/{file_id}',
  summary: 'Get a file',
  data: READS_ONLY,
  scope: 'datasets:read',
  params: FileParams,
  response: FileObject,
  errors: ['dataset_not_found'],
});

export const getFileContent = endpoint({
  ...base,
  id: 'files.content',
  method: 'GET',
  path: '/api/v1/files/{file_id}/content',
  summary: 'Download a file',
  description:
    'Redirects to the file as it was uploaded, for fifteen minutes. A dataset that was not uploaded as one file has its ' +
    'rows as JSON Lines instead, as `GET /api/v1/datasets/{dataset_id}/download` has them. The result file of a fine-tuning ' +
    'job is CSV, and needs the scope `training` too.',
  data: 'Changes no rows. The first request for the rows of a dataset builds the file.',
  scope: 'datasets:read',
  params: FileParams,
  status: 307,
  errors: downloadDataset.errors,
});

export const deleteFile = endpoint({
  ...base,
  id: 'files.delete',
  method: 'DELETE',
  path: '/api/v1/files/{file_id}',
  summary: 'Delete a file',
  description:
    'Deletes the dataset, as `DELETE /api/v1/datasets/{dataset_id}` does. The metrics of a fine-tuning job are deleted with its training file. A file with models that were trained on it is refused: they would be deleted with it.',
  data: 'Deletes the dataset at once. Its files are erased within a day. This cannot be undone.',
  scope: 'datasets:write',
  params: FileParams,
  response: DeletedFile,
  errors: deleteDataset.errors,
});

import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams, DownloadLink } from '#shared/platform/schema/common.ts';
import {
  BestLaunchConfig,
  CreateDatasetRequest,
  CreateDatasetResponse,
  Dataset,
  DatasetPage,
  DatasetStatusRecord,
  DownloadQuery,
  ExportLinks,
  ListDatasetsQuery,
  Message,
} from './schema/dataset.ts';
import { VersionsPage, VersionsQuery } from './schema/version.ts';

export const createDataset = endpoint({
  id: 'datasets.create',
  method: 'POST',
  path: '/api/v1/datasets',
  summary: 'Ingest a dataset',
  description:
    'Without a url: answers where to PUT the file; complete the upload afterwards. With a url: imports it.',
  data: 'Creates a dataset. A file upload waits for its file; an import starts reading at once.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:write',
  counts: { use: 'creations_per_hour' },
  body: CreateDatasetRequest,
  status: 200,
  response: CreateDatasetResponse,
  errors: ['not_available_yet', 'connection_missing', 'uploads_limit_reached'],
});

export const listDatasets = endpoint({
  id: 'datasets.list',
  method: 'GET',
  path: '/api/v1/datasets',
  summary: 'List the datasets of the team',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  query: ListDatasetsQuery,
  status: 200,
  response: DatasetPage,
  errors: ['cursor_invalid'],
});

export const getDataset = endpoint({
  id: 'datasets.get',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}',
  summary: 'Get a dataset',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: Dataset,
  errors: ['dataset_not_found'],
});

export const deleteDataset = endpoint({
  id: 'datasets.delete',
  method: 'DELETE',
  path: '/api/v1/datasets/{dataset_id}',
  summary: 'Delete a dataset',
  description:
    'Refused while a run or training is active on it. Its files, and models trained on it, are removed within a day; the message ' +
    'counts the models. To keep a model, download or publish it before.',
  data: 'Deletes the dataset at once. Its files, and models trained on it, are erased within a day. This cannot be undone.',
  credits: 'Costs no credits. Credits that were charged are not refunded.',
  tag: 'Datasets',
  scope: 'datasets:write',
  params: DatasetParams,
  status: 200,
  response: Message,
  errors: ['dataset_not_found', 'dataset_running', 'pilot_running', 'training_running'],
});

export const getDatasetStatus = endpoint({
  id: 'datasets.status',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/status',
  summary: 'Get the status and progress of a dataset',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: DatasetStatusRecord,
  errors: ['dataset_not_found'],
});

const DOWNLOAD_ERRORS = [
  'dataset_not_found',
  'run_not_found',
  'version_not_found',
  'no_data_yet',
  'export_pending',
  'export_failed',
  'column_mapping_required',
] as const;

export const downloadDataset = endpoint({
  id: 'datasets.download',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/download',
  summary: 'Download the processed dataset',
  description:
    'Redirects to the file, for fifteen minutes. It holds the rows of the latest run that succeeded, where none has those that the latest one finished, ' +
    'and before the first run the rows as they were uploaded; `version` names another version, and `run_id` another adaptation. A format that was not asked for before is built first: ' +
    'when that takes longer than 20 seconds the answer is a 503 that says when to come back. After a run, the columns are those of ' +
    'the dataset, with `enhanced_prompt` and `enhanced_completion` and those of the options that the run had.',
  data: 'Changes no rows. The first request for a format builds the file.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  query: DownloadQuery,
  status: 307,
  errors: DOWNLOAD_ERRORS,
});

export const linkDownload = endpoint({
  id: 'datasets.download-link',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/download-link',
  summary: 'Get a link to the processed dataset',
  description:
    'The file that `/download` redirects to, as a link that needs no key: for web pages, which cannot follow that redirect.',
  data: 'Changes no rows. The first request for a format builds the file.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  query: DownloadQuery,
  status: 200,
  response: DownloadLink,
  errors: DOWNLOAD_ERRORS,
});

export const getExportLinks = endpoint({
  id: 'datasets.export-links',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/export-links',
  summary: 'Get the links of exports to other platforms',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: ExportLinks,
  errors: ['dataset_not_found'],
});

export const getBestLaunchConfig = endpoint({
  id: 'datasets.best-launch-config',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/finetune/best-launch-config',
  summary: 'Get the launch of the best training job',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: BestLaunchConfig,
  errors: ['dataset_not_found'],
});

export const listVersions = endpoint({
  id: 'datasets.versions.list',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/versions',
  summary: 'List the versions of a dataset with their lineage',
  description:
    'The rows of the upload are version 1. Each append, adaptation and review makes another, and nothing of a version ever ' +
    'changes. Reads that name none mean the latest adaptation that succeeded, or the rows as they came where none has.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  query: VersionsQuery,
  status: 200,
  response: VersionsPage,
  errors: ['dataset_not_found'],
});

import { endpoint, FREE } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { Diff, DiffQuery } from './schema/diff.ts';
import { RowDetail, RowParams, RowQuery, RowsPage, RowsQuery } from './schema/rows.ts';

const rows = {
  method: 'GET',
  data: 'Changes no rows. The first request for rows that have no index yet builds it.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  status: 200,
  // A search reads and unpacks up to 192 MiB of text.
  memoryMb: 2048,
} as const;

export const listRows = endpoint({
  ...rows,
  id: 'datasets.rows.list',
  path: '/api/v1/datasets/{dataset_id}/rows',
  summary: 'List the rows of a dataset, before and after',
  description:
    'Every row of the source with what a run made of it: outcome, reason, and the text before and after. Filters and a ' +
    'search in the text apply together. An adaptation writes an index of its rows at its end; for other rows the first ' +
    'request builds it: when that takes longer than 20 seconds the answer is a 409 `rows_pending`, and its `Retry-After` ' +
    'says when to come back.',
  params: DatasetParams,
  query: RowsQuery,
  response: RowsPage,
  counts: { use: 'scans_per_hour', given: ['search', 'doubted'] },
  errors: [
    'dataset_not_found',
    'run_not_found',
    'version_not_found',
    'no_data_yet',
    'dataset_too_large',
    'rows_pending',
  ],
});

export const getRow = endpoint({
  ...rows,
  id: 'datasets.rows.get',
  path: '/api/v1/datasets/{dataset_id}/rows/{row}',
  summary: 'Get one row of a dataset, complete',
  description:
    'The row with all of its columns: text before and after, reasoning trace, safety findings, both answers of a ' +
    'preference pair, sources and notes.',
  params: RowParams,
  query: RowQuery,
  response: RowDetail,
  errors: [
    'dataset_not_found',
    'run_not_found',
    'version_not_found',
    'row_not_found',
    'no_data_yet',
    'dataset_too_large',
    'rows_pending',
  ],
});

export const getDiff = endpoint({
  id: 'datasets.diff',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/diff',
  summary: 'Compare two versions of a dataset, row by row',
  description:
    'Rows that were changed, added and removed from one version to the other, by the number of the row in the source. ' +
    'Columns are those of downloads. Where only one version was adapted, the other is read as if that run had kept every ' +
    'row: its `enhanced_prompt` and `enhanced_completion` are the texts that it came with, so that a row that the run kept ' +
    'is unchanged. Rows that a version does not deliver, such as duplicates, are removed ones. The first request starts ' +
    'the comparison and answers a 202: ask again after `Retry-After` seconds. A team has one comparison made at a time. ' +
    'The result does not change, and is kept for 30 days.',
  data: 'Changes no rows. The first request for two versions compares them.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  query: DiffQuery,
  status: 200,
  response: Diff,
  accepted: Diff,
  errors: ['dataset_not_found', 'version_not_found', 'no_data_yet', 'dataset_too_large'],
});

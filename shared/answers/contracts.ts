import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { LintReport, LintRequest } from './schema/lint.ts';

export const lintDataset = endpoint({
  id: 'datasets.lint',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/lint',
  summary: 'Check the rows of a dataset',
  description:
    'Changes nothing. Checks the rows as they were read, from `first_row` on, for as long as an answer may take: ' +
    '`next_row` says where to go on. Near-duplicates are found among the rows of one answer.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  body: LintRequest,
  status: 200,
  response: LintReport,
  counts: { use: 'scans_per_hour' },
  errors: ['dataset_not_found', 'no_data_yet', 'column_unknown'],
});

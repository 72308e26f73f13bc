import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { ReportQuery, RunReport } from './schema/report.ts';

export const getRunReport = endpoint({
  id: 'datasets.report',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/report',
  summary: 'Get what became of every row of the latest run',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams,
  query: ReportQuery,
  status: 200,
  response: RunReport,
  errors: ['dataset_not_found', 'no_data_yet', 'cursor_invalid'],
});

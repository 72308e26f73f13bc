import { endpoint, FREE } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { AppliedVerdicts, ApplyRequest } from '../schema/verdict.ts';
import { ROW_ERRORS } from './row-errors.ts';

export const applyVerdicts = endpoint({
  id: 'datasets.verdicts.apply',
  counts: { use: 'scans_per_hour' },
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/verdicts/apply',
  summary: 'Make a version with the mended texts',
  description:
    'The next version has the rows of the one that reads mean, with the texts that reviewers give; with `wrong: "drop"` rows ' +
    'that are wrong and not mended are dropped. Rows of which reviewers say different things, and those that have changed ' +
    'since, stay as they are, and the report says so. Returns at once: poll the status of the dataset. Rows in other ' +
    'languages that were made of a mended or dropped row are left out. The version is listed as made by `review`.',
  data: 'Makes a version; earlier ones stay as they are.',
  credits: FREE,
  tag: 'Review',
  scope: 'datasets:write',
  params: DatasetParams,
  body: ApplyRequest,
  status: 202,
  response: AppliedVerdicts,
  memoryMb: 1024,
  errors: [
    ...ROW_ERRORS,
    'dataset_not_ready',
    'dataset_running',
    'nothing_to_apply',
    'runs_limit_reached',
    'idempotency_mismatch',
  ],
});

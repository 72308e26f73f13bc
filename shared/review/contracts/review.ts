import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { Review, ReviewQuery } from '../schema/review.ts';
import {
  AlikeParams,
  AlikeQuery,
  AlikeRows,
  RecordedVerdicts,
  VerdictsPage,
  VerdictsQuery,
  VerdictsRequest,
} from '../schema/verdict.ts';
import { ROW_ERRORS } from './row-errors.ts';

const reads = {
  method: 'GET',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Review',
  scope: 'datasets:read',
  status: 200,
  memoryMb: 1024,
} as const;

export const listReview = endpoint({
  ...reads,
  id: 'datasets.review.list',
  path: '/api/v1/datasets/{dataset_id}/review',
  summary: 'List the rows that are most worth a look',
  description:
    'Rows without a verdict of the version that reads mean: doubtful ones by falling probability of being wrong, and at ' +
    'every third place one that is drawn at random among the others, so that the verdicts tell of the whole dataset. ' +
    'The answer says how many are worth a look, what the verdicts say so far, and the grade that follows from them.',
  params: DatasetParams,
  query: ReviewQuery,
  response: Review,
  counts: { use: 'scans_per_hour' },
  errors: ROW_ERRORS,
});

export const findAlikeRows = endpoint({
  ...reads,
  id: 'datasets.review.alike',
  path: '/api/v1/datasets/{dataset_id}/review/{row}/alike',
  summary: 'Find the rows with the same defect as a mended one',
  description:
    'After a row was mended: rows that have the label which was exchanged, in which the text occurs that was removed or ' +
    'replaced, or of which the same witness says the same, each with the text that the same edit gives. To accept some, ' +
    'send them to `/verdicts` as `mended`. Rows that somebody has called right or has mended are not among them.',
  params: AlikeParams,
  query: AlikeQuery,
  response: AlikeRows,
  counts: { use: 'scans_per_hour' },
  // Searches up to 192 MiB of text.
  memoryMb: 2048,
  errors: [...ROW_ERRORS, 'row_not_found'],
});

export const recordVerdicts = endpoint({
  id: 'datasets.verdicts.record',
  counts: { use: 'scans_per_hour' },
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/verdicts',
  summary: 'Say which rows are right, wrong, or mended',
  description:
    'Up to 1,000 verdicts, each with the `content_hash` of the row as its reviewer saw it. A row that has changed since is ' +
    'in `stale`, and its verdict is not recorded. Each reviewer has one verdict about a row: a later one takes its place, ' +
    '`none` takes it back. A request that is refused records nothing. Rows change only when verdicts are applied.',
  data: 'Keeps the verdicts with the dataset until it is deleted; changes no rows.',
  credits: FREE,
  tag: 'Review',
  scope: 'datasets:write',
  params: DatasetParams,
  body: VerdictsRequest,
  status: 200,
  response: RecordedVerdicts,
  memoryMb: 1024,
  errors: [...ROW_ERRORS, 'row_not_found'],
});

export const listVerdicts = endpoint({
  ...reads,
  id: 'datasets.verdicts.list',
  path: '/api/v1/datasets/{dataset_id}/verdicts',
  summary: 'List the verdicts of a dataset',
  description: 'All of them with their texts, by row and reviewer: page through them to export them.',
  params: DatasetParams,
  query: VerdictsQuery,
  response: VerdictsPage,
  errors: ROW_ERRORS,
});

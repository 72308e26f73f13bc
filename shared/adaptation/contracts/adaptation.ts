import { Evaluation } from '#shared/datasets/schema/evaluation.ts';
import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { creditsPerHundredRows, perHundred } from '#shared/platform/schema/row-prices.ts';
import { AdaptRequest, RunQuote, RunRequest } from '../schema/adaptation.ts';

const launch = {
  data: 'Improves existing rows in new columns and never changes their source columns. `language_expansion` adds rows; `deduplication` and `lint` drop rows. With `estimate: true` nothing changes.',
  credits: `${perHundred('text', 'output rows')}, ${creditsPerHundredRows.image_context} when images are mapped; a part of a hundred counts as a hundred. Credits are reserved at the start; at the end delivered rows are charged, of \`preference_pairs\` those with a pair, and the rest is released. An estimate is free.`,
  method: 'POST',
  tag: 'Adaptation',
  scope: 'datasets:write',
  params: DatasetParams,
  status: 200,
  response: RunQuote,
  errors: [
    'dataset_not_found',
    'dataset_not_ready',
    'dataset_running',
    'column_mapping_required',
    'column_unknown',
    'language_unsupported',
    'model_cannot_see',
    'credits_insufficient',
    'plan_limit_exceeded',
    'runs_limit_reached',
    'idempotency_mismatch',
    'not_available_yet',
  ],
} as const;

export const adaptDataset = endpoint({
  ...launch,
  errors: [...launch.errors, 'pilot_not_found', 'pilot_running', 'pilot_without_winner', 'pilot_outdated'],
  id: 'datasets.adapt',
  path: '/api/v1/datasets/{dataset_id}/adapt',
  summary: 'Adapt a dataset, or price the adaptation',
  description:
    'Rewrites rows in which something is visibly wrong, by the smallest edit that mends it, and evaluates the result. ' +
    'Returns at once: poll the status of the dataset until `succeeded` or `failed`. The report says what became of each row.',
  body: AdaptRequest,
});

export const runDataset = endpoint({
  ...launch,
  id: 'datasets.run',
  path: '/api/v1/datasets/{dataset_id}/run',
  summary: 'Adapt a dataset (use /adapt)',
  description:
    'The older form of `/adapt`. Its recipes `preference_pairs` and `prompt_metadata_injection` exist only here.',
  body: RunRequest,
  successor: '/api/v1/datasets/{dataset_id}/adapt',
});

export const getEvaluation = endpoint({
  id: 'datasets.evaluation',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/evaluation',
  summary: 'Get the evaluation of a dataset',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: Evaluation,
  errors: ['dataset_not_found'],
});

import { AdaptRequest, RunQuote, RunRequest } from '../schema/adaptation.ts';
import { DatasetParams } from '../schema/common.ts';
import { Evaluation } from '../schema/evaluation.ts';
import { endpoint } from './endpoint.ts';

const launch = {
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
  uses: {
    table: 'write',
    bucket: { write: ['runs'] },
    starts: ['adapt'],
    modelIds: ['answer'],
    search: true,
  },
} as const;

export const adaptDataset = endpoint({
  ...launch,
  id: 'datasets.adapt',
  path: '/api/v1/datasets/{dataset_id}/adapt',
  summary: 'Adapt a dataset, or price the adaptation',
  body: AdaptRequest,
});

export const runDataset = endpoint({
  ...launch,
  id: 'datasets.run',
  path: '/api/v1/datasets/{dataset_id}/run',
  summary: 'Adapt a dataset (use /adapt)',
  body: RunRequest,
  successor: '/api/v1/datasets/{dataset_id}/adapt',
});

export const getEvaluation = endpoint({
  id: 'datasets.evaluation',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/evaluation',
  summary: 'Get the evaluation of a dataset',
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: Evaluation,
  errors: ['dataset_not_found'],
  uses: { table: 'read', bucket: { read: ['runs'] } },
});

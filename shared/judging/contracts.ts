import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import {
  CreateCustomEvalRequest,
  CustomEval,
  CustomEvalList,
  CustomEvalParams,
} from './schema/custom-eval.ts';

export const createCustomEval = endpoint({
  id: 'datasets.custom-evals.create',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/custom-evals',
  summary: 'Score an adapted dataset by a rubric of your own',
  description:
    'A judge scores the sample of the dataset’s evaluation, before and after, by `judge_prompt`: instructions for ' +
    'integers from 0 to 10 that say what earns them. Costs no credits.',
  data: 'Scores a sample of the rows; changes no rows.',
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:write',
  params: DatasetParams,
  body: CreateCustomEvalRequest,
  status: 202,
  response: CustomEval,
  errors: [
    'dataset_not_found',
    'dataset_not_adapted',
    'invalid_judge_prompt',
    'not_available_yet',
    'runs_limit_reached',
  ],
});

export const listCustomEvals = endpoint({
  id: 'datasets.custom-evals.list',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/custom-evals',
  summary: 'List the custom evaluations of a dataset',
  description: 'The newest forty, newest first.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: DatasetParams,
  status: 200,
  response: CustomEvalList,
  errors: ['dataset_not_found'],
});

export const getCustomEval = endpoint({
  id: 'datasets.custom-evals.get',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/custom-evals/{custom_eval_id}',
  summary: 'Get a custom evaluation',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Adaptation',
  scope: 'datasets:read',
  params: CustomEvalParams,
  status: 200,
  response: CustomEval,
  errors: ['dataset_not_found', 'custom_eval_not_found'],
});

import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import {
  CombinedDataset,
  CombineJob,
  CombineJobParams,
  CombineRequest,
  CombineValidation,
  ValidateCombineRequest,
} from '../schema/combine.ts';

export const combineDatasets = endpoint({
  id: 'datasets.combine.create',
  method: 'POST',
  path: '/api/v1/datasets/combine',
  summary: 'Merge datasets into a new one',
  description:
    'Takes the rows of every dataset once, in order, as its download shows them. Of up to 200 MB the answer is the ' +
    'merged dataset; more, or what takes longer than 20 seconds, goes on as a job. The answer of a merge that has failed is its job, also when the request is repeated.',
  data: 'Creates a dataset with copies of the rows; the sources stay as they are.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:write',
  body: CombineRequest,
  readsIdempotencyKey: true,
  status: 200,
  response: CombinedDataset,
  accepted: CombineJob,
  errors: [
    'DATASET_COMBINE_VALIDATION_FAILED',
    'dataset_not_found',
    'plan_limit_exceeded',
    'dataset_too_large',
    'idempotency_mismatch',
  ],
});

export const validateCombination = endpoint({
  id: 'datasets.combine.validate',
  method: 'POST',
  path: '/api/v1/datasets/combine/validate',
  summary: 'Check whether datasets can be merged',
  description:
    'Changes nothing. Problems are in `issues`: an `error` stands against the merge, a `warning` does not.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  body: ValidateCombineRequest,
  status: 200,
  response: CombineValidation,
  errors: [],
});

export const getCombineJob = endpoint({
  id: 'datasets.combine.job',
  method: 'GET',
  path: '/api/v1/datasets/combine/jobs/{combine_job_id}',
  summary: 'Get the state of a merge',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: CombineJobParams,
  status: 200,
  response: CombineJob,
  errors: ['combine_job_not_found'],
});

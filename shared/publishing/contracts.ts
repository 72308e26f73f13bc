import * as z from 'zod';
import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { TrainingParams } from '#shared/training/schema/training.ts';
import { Publication, PublishJob, PublishModelRequest, PublishRequest } from './schema/publication.ts';

export const publishDataset = endpoint({
  id: 'datasets.publish',
  method: 'POST',
  path: '/api/v1/datasets/{dataset_id}/publish',
  summary: 'Publish a dataset to an external platform',
  description:
    'Publishes the rows as Parquet files with a dataset card, in the background: look at the publication until it has ended. ' +
    'The team needs a connection to the platform, which an operator stores; without one the answer is 501. ' +
    'A repository is made if there is none, and is private unless `private` is false. The same content published twice ' +
    'makes no second commit, or on Kaggle no second version.',
  data: 'Copies rows to the platform. The dataset stays as it is.',
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:write',
  params: DatasetParams,
  body: PublishRequest,
  status: 202,
  response: PublishJob,
  errors: [
    'dataset_not_found',
    'version_not_found',
    'no_data_yet',
    'scope_missing',
    'publication_active',
    'publish_not_implemented',
  ],
});

const PublishId = z.string().min(1).max(100).meta({
  description: '`publish_id` of the start of the publication.',
  example: '5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10',
});

export const getPublication = endpoint({
  id: 'datasets.publications.get',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/publish/{publish_id}',
  summary: 'Get a publication',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams.extend({ publish_id: PublishId }),
  status: 200,
  response: Publication,
  errors: ['dataset_not_found', 'publication_not_found'],
});

export const publishModel = endpoint({
  id: 'autoscientist.publish',
  method: 'POST',
  path: '/api/v1/autoscientist/{experiment_id}/publish',
  summary: 'Publish the best model of a training to an external platform',
  description:
    'Publishes the adapter or checkpoint and the tokenizer with a model card, in the background: look at the publication until ' +
    'it has ended. The team needs a connection to the platform, which an operator stores; without one, and for Kaggle, the ' +
    'answer is 501. A repository is made if there is none, and is private unless `private` is false. The same content ' +
    'published twice makes no second commit.',
  data: 'Copies the model to the platform. The training and its model stay as they are.',
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams,
  body: PublishModelRequest,
  status: 202,
  response: PublishJob,
  errors: ['training_not_found', 'no_artifact', 'publication_active', 'publish_not_implemented'],
});

export const getModelPublication = endpoint({
  id: 'autoscientist.publications.get',
  method: 'GET',
  path: '/api/v1/autoscientist/{experiment_id}/publish/{publish_id}',
  summary: 'Get a publication of a model',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Training',
  scope: 'training',
  params: TrainingParams.extend({ publish_id: PublishId }),
  status: 200,
  response: Publication,
  errors: ['training_not_found', 'publication_not_found'],
});

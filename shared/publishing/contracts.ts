import * as z from 'zod';
import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { DatasetParams } from '#shared/platform/schema/common.ts';
import { Publication, PublishJob, PublishRequest } from './schema/publication.ts';

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

export const getPublication = endpoint({
  id: 'datasets.publications.get',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/publish/{publish_id}',
  summary: 'Get a publication',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Datasets',
  scope: 'datasets:read',
  params: DatasetParams.extend({
    publish_id: z.string().min(1).max(100).meta({
      description: '`publish_id` of the start of the publication.',
      example: '5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10',
    }),
  }),
  status: 200,
  response: Publication,
  errors: ['dataset_not_found', 'publication_not_found'],
});

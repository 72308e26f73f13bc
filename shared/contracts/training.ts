import { BaseModels, RecommendedHyperparams, RecommendHyperparamsRequest } from '../schema/training.ts';
import { endpoint } from './endpoint.ts';

const listing = {
  method: 'GET',
  tag: 'Training',
  scope: 'training',
  status: 200,
  response: BaseModels,
  errors: [],
  uses: { trainers: true },
} as const;

export const listBaseModels = endpoint({
  ...listing,
  id: 'autoscientist.models',
  path: '/api/v1/autoscientist/models',
  summary: 'List the models that can be trained',
});

export const listTrainingModels = endpoint({
  ...listing,
  id: 'training-models.list',
  path: '/api/v1/training-models',
  summary: 'List the models that can be trained (use /autoscientist/models)',
  successor: '/api/v1/autoscientist/models',
});

export const recommendHyperparams = endpoint({
  id: 'autoscientist.recommend-hyperparams',
  method: 'POST',
  path: '/api/v1/autoscientist/recommend-hyperparams',
  summary: 'Recommend a model and hyperparameters for a dataset',
  description: 'Launches nothing. Without a model, that which a training of the dataset would take.',
  tag: 'Training',
  scope: 'training',
  body: RecommendHyperparamsRequest,
  status: 200,
  response: RecommendedHyperparams,
  errors: ['dataset_not_found', 'dataset_untrainable', 'model_unsupported'],
  uses: { table: 'read', bucket: { read: ['datasets', 'runs'] }, trainers: true },
});

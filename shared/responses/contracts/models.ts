import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { ListedModel, ListModelsQuery, ModelList, ModelParams } from '../schema/model-list.ts';

export const listModels = endpoint({
  id: 'models.list',
  method: 'GET',
  path: '/api/v1/models',
  summary: 'List the models that answer',
  description:
    'Hosted models, the stacks of the team, and the models that it has trained, where they are served. Those of an ' +
    'endpoint that does not answer are missing.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Responses',
  scope: 'responses',
  readsOrganization: true,
  query: ListModelsQuery,
  status: 200,
  response: ModelList,
  errors: [],
});

export const getModel = endpoint({
  id: 'models.get',
  method: 'GET',
  path: '/api/v1/models/{model}',
  summary: 'Get a model that answers',
  description: 'A slash in its id is sent as `%2F`.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Responses',
  scope: 'responses',
  readsOrganization: true,
  params: ModelParams,
  status: 200,
  response: ListedModel,
  errors: ['model_not_found', 'model_unavailable'],
});

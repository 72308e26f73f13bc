import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { ListModelsQuery, ModelList } from '../schema/model-list.ts';

export const listModels = endpoint({
  id: 'models.list',
  method: 'GET',
  path: '/api/v1/models',
  summary: 'List the models that answer',
  description:
    'Hosted models, the stacks of the team, and the models that it has trained, where they are served.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Responses',
  scope: 'responses',
  readsOrganization: true,
  query: ListModelsQuery,
  status: 200,
  response: ModelList,
  errors: ['model_unavailable'],
});

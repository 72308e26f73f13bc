import {
  DeletedResponse,
  InputItemPage,
  InputItemsQuery,
  ModelResponse,
  ResponseParams,
} from '../schema/response.ts';
import { endpoint } from './endpoint.ts';

const stored = {
  tag: 'Responses',
  scope: 'responses',
  readsOrganization: true,
  params: ResponseParams,
  status: 200,
  errors: ['response_not_found'],
} as const;

export const getResponse = endpoint({
  ...stored,
  id: 'responses.get',
  method: 'GET',
  path: '/api/v1/responses/{response_id}',
  summary: 'Read a stored response',
  response: ModelResponse,
  uses: { bucket: { read: ['responses'] } },
});

export const deleteResponse = endpoint({
  ...stored,
  id: 'responses.delete',
  method: 'DELETE',
  path: '/api/v1/responses/{response_id}',
  summary: 'Delete a stored response with its input',
  description: 'Responses that went on from it stay; their conversation then begins after it.',
  response: DeletedResponse,
  uses: { bucket: { read: ['responses'], delete: ['responses'] } },
});

export const listInputItems = endpoint({
  ...stored,
  id: 'responses.input-items',
  method: 'GET',
  path: '/api/v1/responses/{response_id}/input_items',
  summary: 'List what was sent for a stored response',
  query: InputItemsQuery,
  response: InputItemPage,
  errors: ['response_not_found', 'cursor_invalid'],
  uses: { bucket: { read: ['responses'] } },
});

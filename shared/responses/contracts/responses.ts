import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import {
  DeletedResponse,
  InputItemPage,
  InputItemsQuery,
  ModelResponse,
  ResponseParams,
  ResponseQuery,
} from '../schema/response.ts';
import { CreateResponseRequest } from '../schema/response-request.ts';

const stored = {
  tag: 'Responses',
  scope: 'responses',
  readsOrganization: true,
  params: ResponseParams,
  status: 200,
  errors: ['response_not_found'],
} as const;

export const createResponse = endpoint({
  id: 'responses.create',
  method: 'POST',
  path: '/api/v1/responses',
  summary: 'Answer with a model',
  description:
    'Answers the response object of OpenAI’s Responses API, or with `stream` its events as server-sent events, which ' +
    '`data: [DONE]` ends. `response.created` and `response.in_progress` are first; each item of the output begins with ' +
    '`response.output_item.added` and ends with `response.output_item.done`, with its text (`response.output_text.delta`) or ' +
    'the arguments of its call (`response.function_call_arguments.delta`) between them; `response.completed`, ' +
    '`response.incomplete` or `response.failed` is last and has the whole response. What fails before the first event has an error status, unless a keep-alive was sent, after 15 ' +
    'seconds without output. What fails afterwards is a response of status 200 that ends as `failed`, with the event ' +
    '`response.failed`; so is, also before the first event, an answer without what `tool_choice` demands ' +
    '(`tool_not_called`, `ungrounded`), or a longer one than can be given (`answer_too_large`). ' +
    'With `store`, the response can be read, and gone on from by `previous_response_id`, for 30 days.',
  data: 'Stores nothing unless `store` is true; then the response and its input are kept for 30 days. Datasets are searched, never changed.',
  credits:
    'Charges the tokens that the model reads and writes, at the price of the model, also of an answer that fails. A ' +
    'request that ends with an error status is charged if the model had begun to answer, or had to be given up (a ' +
    'timeout, or a caller who leaves); otherwise it is free.',
  tag: 'Responses',
  scope: 'responses',
  readsOrganization: true,
  body: CreateResponseRequest,
  status: 200,
  response: ModelResponse,
  streams: 'body',
  errors: [
    'approval_unknown',
    'context_too_long',
    'credits_insufficient',
    'tool_not_permitted',
    'model_not_found',
    'stack_not_found',
    'response_not_found',
    'dataset_not_found',
    'dataset_not_adapted',
    'index_not_ready',
    'model_not_served',
    'model_refused',
    'model_busy',
    'model_quota_exhausted',
  ],
});

export const getResponse = endpoint({
  ...stored,
  id: 'responses.get',
  method: 'GET',
  path: '/api/v1/responses/{response_id}',
  summary: 'Read a stored response',
  description:
    '`include` adds what the request did not ask to see. Its events are not told again: `stream` is refused.',
  data: READS_ONLY,
  credits: FREE,
  query: ResponseQuery,
  response: ModelResponse,
  errors: ['response_not_found', 'response_too_large'],
});

export const deleteResponse = endpoint({
  ...stored,
  id: 'responses.delete',
  method: 'DELETE',
  path: '/api/v1/responses/{response_id}',
  summary: 'Delete a stored response with its input',
  description: 'Responses that went on from it stay; their conversation then begins after it.',
  data: 'Deletes the response with its input and output. This cannot be undone.',
  credits: FREE,
  response: DeletedResponse,
});

export const listInputItems = endpoint({
  ...stored,
  id: 'responses.input-items',
  method: 'GET',
  path: '/api/v1/responses/{response_id}/input_items',
  summary: 'List the conversation that a stored response answered',
  description:
    'What came before it by `previous_response_id`, input and output, and then what was sent for it. A page ends before ' +
    '`limit` where its items would be more than can be read at once.',
  data: READS_ONLY,
  credits: FREE,
  query: InputItemsQuery,
  response: InputItemPage,
  errors: ['response_not_found', 'response_too_large', 'cursor_invalid'],
});

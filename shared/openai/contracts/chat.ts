import { endpoint } from '#shared/platform/contracts/endpoint.ts';
import { createResponse } from '#shared/responses/contracts/responses.ts';
import { ChatCompletion, CreateChatCompletionRequest } from '../schema/chat.ts';

export const createChatCompletion = endpoint({
  id: 'chat.completions.create',
  method: 'POST',
  path: '/api/v1/chat/completions',
  summary: 'Answer a chat with a model, as in OpenAI’s API',
  description:
    'An answer of `POST /api/v1/responses` in the words of chat completions, or with `stream` its chunks as server-sent ' +
    'events, which `data: [DONE]` ends. What fails before the first chunk has an error status, unless a keep-alive was ' +
    'sent, after 15 seconds without output; what fails afterwards is a last chunk with `error`. Stored answers, tool ' +
    'servers and dataset search are those of `POST /api/v1/responses`.',
  data: 'Stores nothing.',
  credits: createResponse.credits,
  tag: 'OpenAI',
  scope: 'responses',
  readsOrganization: true,
  body: CreateChatCompletionRequest,
  status: 200,
  response: ChatCompletion,
  streams: 'body',
  errors: createResponse.errors,
});

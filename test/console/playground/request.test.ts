import { expect, test } from 'vitest';
import { EMPTY_PROMPT, requestAfter, requestOf } from '../../../console/src/playground/request.ts';

const PROMPT = { ...EMPTY_PROMPT, input: 'Hello' };

test('a request leaves to the provider what is left empty', () => {
  expect(requestOf({ ...PROMPT, maxOutputTokens: ' ' }, 'model-1')).toEqual({
    model: 'model-1',
    input: 'Hello',
    stream: true,
  });
});

test('a request with datasets searches them, asks for the rows, and insists if told', () => {
  expect(
    requestOf({ ...PROMPT, datasets: ['d-1', 'd-2'], hasToSearch: true, temperature: '0' }, 'model-1'),
  ).toEqual({
    model: 'model-1',
    input: 'Hello',
    temperature: 0,
    max_output_tokens: 1000,
    tools: [{ type: 'file_search', vector_store_ids: ['d-1', 'd-2'] }],
    include: ['file_search_call.results'],
    tool_choice: { type: 'file_search' },
    stream: true,
  });
});

test('insisting on a search means nothing without datasets', () => {
  expect(requestOf({ ...PROMPT, hasToSearch: true }, 'model-1')).not.toHaveProperty('tool_choice');
});

test('a request with tool servers is stored, so that it can go on after an approval', () => {
  expect(
    requestOf(
      {
        ...PROMPT,
        servers: ['weather'],
        approval: 'always',
        ownServer: { label: '', url: ' https://tools.example/mcp ', authorization: 'Bearer secret' },
      },
      'model-1',
    ),
  ).toMatchObject({
    store: true,
    tools: [
      { type: 'mcp', server_label: 'weather', require_approval: 'always' },
      {
        type: 'mcp',
        server_label: 'own',
        server_url: 'https://tools.example/mcp',
        authorization: 'Bearer secret',
        require_approval: 'always',
      },
    ],
  });
});

test('without a choice each server decides about approvals', () => {
  expect(requestOf({ ...PROMPT, servers: ['weather'] }, 'model-1').tools).toEqual([
    { type: 'mcp', server_label: 'weather' },
  ]);
});

test('a request after decisions goes on from the response, with its tools and without its demands', () => {
  const request = requestOf(
    { ...PROMPT, servers: ['weather'], datasets: ['d-1'], hasToSearch: true, instructions: 'Be brief.' },
    'model-1',
  );
  const next = requestAfter(request, 'resp_1', [
    { requestId: 'apr_1', isApproved: true },
    { requestId: 'apr_2', isApproved: false },
  ]);

  expect(next).toMatchObject({
    model: 'model-1',
    instructions: 'Be brief.',
    previous_response_id: 'resp_1',
    tools: request.tools,
    store: true,
    input: [
      { type: 'mcp_approval_response', approval_request_id: 'apr_1', approve: true },
      { type: 'mcp_approval_response', approval_request_id: 'apr_2', approve: false },
    ],
  });
  expect(next).not.toHaveProperty('tool_choice');
});

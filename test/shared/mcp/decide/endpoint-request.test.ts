import { expect, test } from 'vitest';
import { endpointRequest, readEndpointReply } from '#shared/mcp/decide/endpoint-request.ts';

const endpoint = {
  function_id: 'api/datasets/rows/list',
  method: 'GET',
  path: '/api/v1/datasets/{dataset_id}/rows/{row}',
  path_names: ['dataset_id', 'row'],
  query_names: ['limit'],
  has_body: false,
};

test('arguments go into path, query and body, by their names', () => {
  expect(
    endpointRequest(endpoint, { dataset_id: 'a/b', row: 3, limit: 5, other: [1], left: undefined }),
  ).toEqual({
    path: '/api/v1/datasets/a%2Fb/rows/3',
    params: { dataset_id: 'a%2Fb', row: '3' },
    query: { limit: ['5'], other: ['[1]'] },
    body: null,
  });
  expect(
    endpointRequest({ ...endpoint, has_body: true }, { dataset_id: 'a', column_mapping: {} }),
  ).toMatchObject({
    query: {},
    body: '{"column_mapping":{}}',
  });
});

test('an argument that no path can hold is a text that nothing is called', () => {
  expect(endpointRequest(endpoint, { dataset_id: '\ud800' }).params).toEqual({ dataset_id: '%EF%BF%BD' });
});

test('an argument with the name of a prototype is an argument', () => {
  const given = JSON.parse('{"__proto__": {"limit": 1}, "constructor": 2}');

  expect(endpointRequest({ ...endpoint, has_body: true }, given).body).toBe(
    '{"__proto__":{"limit":1},"constructor":2}',
  );
});

test.each([
  ['{"statusCode":404,"headers":{},"body":"{\\"code\\":1}"}', { status: 404, text: '{"code":1}' }],
  [`{"statusCode":200,"headers":{}}${'\0'.repeat(8)}{"id":1}`, { status: 200, text: '{"id":1}' }],
])('an answer is read as a function returns it, in one piece or streamed: %j', (text, answer) => {
  expect(readEndpointReply(text)).toEqual(answer);
});

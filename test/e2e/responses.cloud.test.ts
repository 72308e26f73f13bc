import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ModelResponse, OutputItem, ResponseEvent } from '#shared/responses/schema/response.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { readEvents } from '#test/helpers/read-events.ts';
import { type ScriptedToolServer, startScriptedToolServer } from '#test/helpers/scripted-tool-server.ts';
import { searchCloud } from '#test/helpers/search-cloud.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const PATH = '/api/v1/responses';
const TEAM = 'answering';
/** Appears nowhere but at the tool server that it is for. */
const CANARY = 'Bearer canary-5b1e07c24a9d';
let api: ApiClient;
let stranger: ApiClient;
let tools: ScriptedToolServer;
let other: ScriptedToolServer;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '1000'));
  stranger = createApiClient(cloud.apiUrl, await admin.createKey('answering-others', '--credits', '10'));
  tools = await startScriptedToolServer(cloud.toolServerPorts[0]);
  other = await startScriptedToolServer(cloud.toolServerPorts[1]);
});
afterAll(() => Promise.all([tools.close(), other.close()]));
beforeEach(() => {
  tools.requests.length = 0;
  other.requests.length = 0;
  tools.behaviours.clear();
});

const send = (body: object, as = api) => as.send<ModelResponse>('POST', PATH, { model: 'scripted', ...body });
const ask = async (body: object): Promise<ModelResponse> => (await send(body)).body;
const told = async (body: object): Promise<ResponseEvent[]> =>
  readEvents((await send({ ...body, stream: true })).text);
const textOf = ({ output }: ModelResponse): string =>
  output
    .flatMap((item) => (item.type === 'message' ? (item as { content: { text?: string }[] }).content : []))
    .map(({ text = '' }) => text)
    .join('');
const ofType = <T extends OutputItem['type']>({ output }: ModelResponse, type: T) =>
  output.filter((item) => item.type === type) as Extract<OutputItem, { type: T }>[];
const server = (changes: object = {}) => ({
  type: 'mcp',
  server_label: 'notes',
  server_url: tools.url,
  ...changes,
});
const CALL = 'call echo {"message":"hi"}';

test('an answer is one response object with what it used', async () => {
  const response = await ask({ input: 'Hello', instructions: 'Be kind.' });

  expect(response).toMatchObject({ object: 'response', status: 'completed', store: false, error: null });
  expect(textOf(response)).toBe('Heard: Be kind. / Hello');
  const { usage } = response;
  expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
  expect(usage?.output_tokens).toBeGreaterThan(0);
});

test('an answer streams as numbered events that come to the same, and ends in [DONE]', async () => {
  const { status, headers, text } = await send({ input: 'count 40', stream: true });

  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/event-stream');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  const events = readEvents(text);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, n) => n));
  const said = events.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []));
  expect(said).toHaveLength(40);
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error(`The last event is ${JSON.stringify(last)}.`);
  expect(textOf(last.response)).toBe(said.join(''));
  expect(textOf(await ask({ input: 'count 40' }))).toBe(said.join(''));
});

test('an answer calls a function of the caller and goes on with what it answered', async () => {
  const add = { type: 'function', name: 'add', parameters: { type: 'object', properties: {} } };
  const first = await ask({ input: 'call add {"a":1}', tools: [add] });

  const [call] = ofType(first, 'function_call');
  expect(call).toMatchObject({ name: 'add', arguments: '{"a":1}', status: 'completed' });
  const second = await ask({
    input: [
      { role: 'user', content: 'call add {"a":1}' },
      ...first.output,
      { type: 'function_call_output', call_id: call?.call_id, output: 'two' },
    ],
    tools: [add],
  });
  expect(textOf(second)).toBe('Tools said: two');
});

test.each([
  ['a body of 10 MB', { input: 'x'.repeat(10 * 1024 * 1024) }, 413, 'payload_too_large'],
  ['an unknown model', { input: 'Hi', model: 'nobody' }, 404, 'model_not_found'],
  [
    'an unknown previous id',
    { input: 'Hi', previous_response_id: `resp_${'0'.repeat(32)}` },
    404,
    'response_not_found',
  ],
  ['input that is neither form', { input: 7 }, 400, 'invalid_request'],
  ['a response in the background', { input: 'Hi', background: true }, 400, 'invalid_request'],
  [
    'an approval of a call that nobody asked for',
    {
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      ],
    },
    400,
    'approval_unknown',
  ],
  [
    'a tool type that the provider does not run',
    { input: 'Hi', tools: [{ type: 'web_search' }] },
    400,
    'invalid_request',
  ],
])('%s is refused', async (_, body, status, code) => {
  const answer = await send(body);

  expect([answer.status, answer.problem.code]).toEqual([status, code]);
  expect(answer.problem.error).toMatchObject({ message: answer.problem.message, code });
});

test('a tool server at an inside address is refused, as an item with its error', async () => {
  const response = await ask({
    input: 'Hi',
    tools: [server({ server_url: `${cloud.endpoint}/mcp` })],
  });

  expect(ofType(response, 'mcp_list_tools')).toMatchObject([{ tools: [], error: expect.any(String) }]);
  expect(response.status).toBe('completed');
});

test('another organization is refused', async () => {
  const answer = await api.send(
    'POST',
    PATH,
    { model: 'scripted', input: 'Hi' },
    { 'X-Organization-Id': crypto.randomUUID() },
  );
  expect([answer.status, answer.problem.code]).toEqual([403, 'organization_forbidden']);
});

test('what is stored is read, listed page by page, gone on from and deleted', async () => {
  const input = Array.from({ length: 5 }, (_, n) => ({ role: 'user', content: `note ${n}` }));
  const first = await ask({ input, store: true });
  expect((await api.send('GET', `${PATH}/${first.id}`)).body).toEqual(first);

  interface Page {
    readonly data: { readonly id: string; readonly content: { readonly text: string }[] }[];
    readonly last_id: string;
    readonly has_more: boolean;
  }
  const texts: string[] = [];
  for (let after = ''; ; ) {
    const query = `order=asc&limit=2${after === '' ? '' : `&after=${after}`}`;
    const { body } = await api.send<Page>('GET', `${PATH}/${first.id}/input_items?${query}`);
    texts.push(...body.data.map(({ content }) => content[0]?.text ?? ''));
    if (!body.has_more) break;
    after = body.last_id;
  }
  expect(texts).toEqual(input.map(({ content }) => content));

  const second = await ask({ input: 'And this.', previous_response_id: first.id, store: true });
  const before = input.map(({ content }) => content).join(' / ');
  expect(textOf(second)).toBe(`Heard: ${before} / ${textOf(first)} / And this.`);

  const { body: deleted } = await api.send('DELETE', `${PATH}/${first.id}`);
  expect(deleted).toEqual({ id: first.id, object: 'response.deleted', deleted: true });
  expect((await api.send('GET', `${PATH}/${first.id}`)).status).toBe(404);
  expect((await api.send('GET', `${PATH}/${second.id}`)).status).toBe(200);
  const third = await ask({ input: 'More.', previous_response_id: second.id });
  expect(textOf(third)).toBe(`Heard: And this. / ${textOf(second)} / More.`);
});

test('what is stored is nobody’s but its team’s, and what is not stored is not there', async () => {
  const kept = await ask({ input: 'Hi', store: true });
  const passed = await ask({ input: 'Hi' });

  for (const [as, id] of [
    [stranger, kept.id],
    [api, passed.id],
  ] as const) {
    const answers = await Promise.all([
      as.send('GET', `${PATH}/${id}`),
      as.send('DELETE', `${PATH}/${id}`),
      as.send('GET', `${PATH}/${id}/input_items`),
      send({ input: 'Go on', previous_response_id: id }, as),
    ]);
    expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual(
      Array(4).fill([404, 'response_not_found']),
    );
  }
  expect((await api.send('GET', `${PATH}/${kept.id}`)).status).toBe(200);
});

test('a tool server is listed and called, streamed or not', async () => {
  const response = await ask({ input: CALL, tools: [server({ require_approval: 'never' })] });

  expect(ofType(response, 'mcp_list_tools')).toMatchObject([{ tools: [{ name: 'echo' }], error: null }]);
  expect(ofType(response, 'mcp_call')).toMatchObject([
    { name: 'echo', arguments: '{"message":"hi"}', output: '{"message":"hi"}', error: null },
  ]);
  expect(textOf(response)).toBe('Tools said: {"message":"hi"}');

  const events = (await told({ input: CALL, tools: [server({ require_approval: 'never' })] })).map(
    ({ type }) => type,
  );
  const wanted = [
    'response.mcp_list_tools.completed',
    'response.mcp_call.in_progress',
    'response.mcp_call.completed',
    'response.completed',
  ];
  expect(events.filter((type) => wanted.includes(type))).toEqual(wanted);
});

test('a tool server is called after the caller has approved exactly that call, and not before', async () => {
  const attached = [server({ require_approval: 'always' })];
  const first = await ask({ input: CALL, tools: attached, store: true });
  const [request] = ofType(first, 'mcp_approval_request');
  expect(request).toMatchObject({ name: 'echo', arguments: '{"message":"hi"}', server_label: 'notes' });
  expect(tools.methods()).not.toContain('tools/call');
  const approval = { type: 'mcp_approval_response', approval_request_id: request?.id, approve: true };

  const changed = await send({
    input: [{ role: 'user', content: CALL }, { ...request, arguments: '{"message":"bye"}' }, approval],
    tools: attached,
  });
  expect([changed.status, changed.problem.code]).toEqual([400, 'approval_unknown']);
  expect(tools.methods()).not.toContain('tools/call');

  const second = await ask({ input: [approval], previous_response_id: first.id, tools: attached });
  expect(ofType(second, 'mcp_call')).toMatchObject([
    { output: '{"message":"hi"}', approval_request_id: request?.id },
  ]);
  expect(textOf(second)).toBe('Tools said: {"message":"hi"}');
  expect(tools.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
});

test('a tool server is not called where the caller says no, of which the model is told', async () => {
  const attached = [server({ require_approval: 'always' })];
  const first = await ask({ input: CALL, tools: attached, store: true });
  const approval_request_id = ofType(first, 'mcp_approval_request')[0]?.id;
  const second = await ask({
    input: [{ type: 'mcp_approval_response', approval_request_id, approve: false, reason: 'Not now' }],
    previous_response_id: first.id,
    tools: attached,
  });

  expect(textOf(second)).toContain('did not approve this call: Not now');
  expect(tools.methods()).not.toContain('tools/call');
});

test('a credential for a tool server is sent to that server alone: not stored, not logged, not answered, and not on a redirect', async () => {
  const attached = (changes: object = {}) =>
    server({ authorization: CANARY, require_approval: 'never', ...changes });
  const answers: string[] = [];
  const remember = async (body: object): Promise<ModelResponse> => {
    const { text } = await send(body);
    answers.push(text);
    return JSON.parse(text) as ModelResponse;
  };

  const whole = await remember({ input: CALL, store: true, tools: [attached()] });
  expect(textOf(whole)).toBe('Tools said: {"message":"hi"}');
  expect(tools.requests.length).toBeGreaterThan(2);
  for (const { headers } of tools.requests) expect(headers.authorization).toBe(CANARY);
  answers.push((await send({ input: CALL, stream: true, tools: [attached()] })).text);
  const waiting = await remember({
    input: CALL,
    store: true,
    tools: [attached({ require_approval: 'always' })],
  });
  const approval_request_id = ofType(waiting, 'mcp_approval_request')[0]?.id;
  await remember({
    input: [{ type: 'mcp_approval_response', approval_request_id, approve: true }],
    previous_response_id: waiting.id,
    store: true,
    tools: [attached()],
  });
  for (const path of [whole.id, `${whole.id}/input_items`, waiting.id]) {
    answers.push((await api.send('GET', `${PATH}/${path}`)).text);
  }
  // Servers that fail, and one that says the credential in its own words.
  tools.behaviours.set('*', (response, _message, headers) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(String(headers.authorization));
  });
  await remember({ input: CALL, store: true, tools: [attached()] });
  // Requests that are refused.
  await remember({ input: CALL, tools: [attached(), attached()] });
  await remember({ input: CALL, tools: [attached({ server_url: 'nowhere', other: 1 })] });
  await remember({ input: CALL, tools: [attached({ server_url: undefined, server_label: 'unknown' })] });

  tools.behaviours.clear();
  tools.behaviours.set('*', (response) => {
    response.writeHead(307, { location: other.url }).end();
  });
  await remember({ input: CALL, store: true, tools: [attached()] });
  expect(tools.requests.at(-1)?.headers.authorization).toBe(CANARY);
  for (const { headers, body } of other.requests) {
    expect(JSON.stringify([headers, body])).not.toContain('canary');
  }

  expect(answers.filter((text) => text.includes('canary'))).toEqual([]);
  const { found, places, responsesLogged } = await searchCloud(cloud, 'canary');
  // Whoever looks in the wrong place finds nothing: these answers are kept, and were logged.
  expect(places.filter((where) => where.includes(whole.id))).toHaveLength(1);
  expect(places).toContain('table');
  expect(responsesLogged).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

test('what answers use is taken from the credits, and every sum stays right', async () => {
  await admin.createKey('answering-counted', '--credits', '50');
  const counted = createApiClient(cloud.apiUrl, await admin.createKey('answering-counted'));
  const answers = await Promise.all(Array.from({ length: 8 }, () => send({ input: 'count 300' }, counted)));
  const tokens = answers.reduce((sum, { body }) => sum + (body.usage?.output_tokens ?? 0), 0);

  const usage = (await admin.run('usage', '--team', 'answering-counted')).at(-1) ?? '';
  expect(Number(/^in all +\S+ +(\d+)/.exec(usage)?.[1])).toBe(8);
  expect(usage).toContain(` ${tokens} `);
  expect(await admin.ledgerFaults()).toEqual([]);
});

test('a team without credits is refused before the model says anything', async () => {
  const poor = createApiClient(cloud.apiUrl, await admin.createKey('answering-poor'));
  const answer = await send({ input: 'Hi', stream: true }, poor);
  expect([answer.status, answer.problem.code]).toEqual([402, 'credits_insufficient']);
});

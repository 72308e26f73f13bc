import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ModelResponse, OutputItem } from '#shared/responses/schema/response.ts';
import type { Tool } from '#shared/responses/schema/tool.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { readEvents } from '#test/helpers/read-events.ts';
import { startEverythingServer } from '#test/helpers/real-tool-servers.ts';
import {
  greetInSession,
  type ScriptedToolServer,
  startScriptedToolServer,
} from '#test/helpers/scripted-tool-server.ts';
import { searchCloud } from '#test/helpers/search-cloud.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const secrets = new SecretsManagerClient({});
const TEAM = 'hosting';
const PATH = '/api/v1/responses';
/** These appear nowhere but in their secrets and at the tool server that they are for. */
const PLATFORM = 'Bearer canary-of-everyone-71c4f0';
const CAREFUL = 'Bearer canary-of-the-careful-e02b9d';
const OF_TEAM = 'Bearer canary-of-the-team-9a35e1';
const OWN = 'Bearer canary-of-the-caller-d4486a';
let api: ApiClient;
let stranger: ApiClient;
let tools: ScriptedToolServer;

const secretId = (owner: string, label: string): string =>
  `tunesmith/local/connections/${owner}/tools/${label}`;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '1000'));
  stranger = createApiClient(
    cloud.apiUrl,
    await admin.createKey('hosting-others', '--credits', '100', '--scopes', 'responses'),
  );
  const [teamId = ''] = await admin.run('team', 'create', TEAM);
  for (const [name, value] of [
    [secretId('platform', 'shared-notes'), PLATFORM],
    [secretId('platform', 'careful-notes'), CAREFUL],
    [secretId(teamId, 'team-notes'), OF_TEAM],
  ]) {
    await secrets.send(new CreateSecretCommand({ Name: name, SecretString: value }));
  }
  tools = await startScriptedToolServer(cloud.toolServerPorts[0]);
});
afterAll(() => tools.close());
beforeEach(() => {
  tools.requests.length = 0;
  tools.behaviours.clear();
});

const CALL = 'call echo {"message":"hi"}';
const hosted = (server_label: string, changes: object = {}) => ({ type: 'mcp', server_label, ...changes });
const send = (body: object, as = api) =>
  as.send<ModelResponse>('POST', PATH, { model: 'scripted', input: CALL, ...body });
const ask = async (tool: object, body: object = {}): Promise<ModelResponse> =>
  (await send({ tools: [tool], ...body })).body;
const refusalOf = async (tool: object, as = api, body: object = {}) => {
  const { status, problem } = await send({ tools: [tool], ...body }, as);
  return [status, problem.code, problem.message];
};
const ofType = <T extends OutputItem['type']>({ output }: ModelResponse, type: T) =>
  output.filter((item) => item.type === type) as Extract<OutputItem, { type: T }>[];
const outputsOf = (response: ModelResponse) => ofType(response, 'mcp_call').map(({ output }) => output);
/** The credentials that the server was sent, each once. */
const sent = () => [...new Set(tools.requests.map(({ headers }) => headers.authorization))];

test('the catalog is listed as a key sees it', async () => {
  const list = async (as: ApiClient) => (await as.send<{ data: Tool[] }>('GET', '/api/v1/tools')).body.data;
  const mine = await list(api);

  expect(mine.map((tool) => [tool.server_label, tool.auth, tool.connect, tool.unavailable_reason])).toEqual([
    ['open-notes', 'none', null, null],
    ['shared-notes', 'platform', null, null],
    ['team-notes', 'connection', 'secret', null],
    ['own-notes', 'caller', null, null],
    ['careful-notes', 'platform', null, null],
    ['trainers-notes', 'none', null, null],
    ['old-notes', 'none', null, 'disabled'],
    ['notes-to-come', 'none', null, 'not_implemented'],
    ['everything', 'none', null, null],
  ]);
  for (const { available, unavailable_reason } of mine) expect(available).toBe(unavailable_reason === null);
  expect(mine.find(({ server_label }) => server_label === 'careful-notes')?.default_require_approval).toBe(
    'always',
  );
  expect((await list(stranger)).find(({ server_label }) => server_label === 'trainers-notes')).toMatchObject({
    available: false,
    unavailable_reason: 'requires_scope',
    required_scope: 'training',
  });
});

test('a label alone calls the server of the catalog, a real one', async () => {
  const everything = await startEverythingServer(cloud.toolServerPorts[1]);
  try {
    const response = await ask(hosted('everything', { allowed_tools: ['echo'] }));

    expect(ofType(response, 'mcp_list_tools')).toMatchObject([{ server_label: 'everything', error: null }]);
    expect(outputsOf(response)).toEqual(['Echo: hi']);
  } finally {
    await everything.stop();
  }
});

test.each([
  ['open-notes', undefined],
  ['shared-notes', PLATFORM],
  ['team-notes', OF_TEAM],
])('a label alone calls %s with what is stored for it', async (label, credential) => {
  expect(outputsOf(await ask(hosted(label)))).toEqual(['{"message":"hi"}']);
  expect(sent()).toEqual([credential]);
});

test.each(['shared-notes', 'team-notes', 'own-notes'])(
  'a label alone calls %s with the caller’s own credential where one comes along',
  async (label) => {
    expect(outputsOf(await ask(hosted(label, { authorization: OWN })))).toEqual(['{"message":"hi"}']);
    expect(sent()).toEqual([OWN]);
  },
);

test('calls in one session, which is ended with the answer', async () => {
  tools.behaviours.set('initialize', greetInSession('session-of-the-answer'));

  expect(outputsOf(await ask(hosted('team-notes')))).toEqual(['{"message":"hi"}']);
  const inSession = tools.requests.filter(
    ({ headers }) => headers['mcp-session-id'] === 'session-of-the-answer',
  );
  expect(inSession.map(({ method, rpc }) => rpc ?? method)).toEqual([
    'notifications/initialized',
    'tools/list',
    'tools/call',
    'DELETE',
  ]);
  expect(sent()).toEqual([OF_TEAM]);
});

test('calls with a credential as soon as it is stored', async () => {
  const [teamId = ''] = await admin.run('team', 'create', TEAM);
  const SecretId = secretId(teamId, 'team-notes');
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: `${OF_TEAM}-again` }));
  await ask(hosted('team-notes'));
  expect(sent()).toEqual([`${OF_TEAM}-again`]);
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: OF_TEAM }));
});

test('a label alone waits for an approval where the catalog says so, and the request nothing else', async () => {
  const tool = hosted('careful-notes');
  const first = await ask(tool, { store: true });
  const [request] = ofType(first, 'mcp_approval_request');
  expect(request).toMatchObject({ name: 'echo', server_label: 'careful-notes' });
  expect(tools.methods()).not.toContain('tools/call');

  const approval = { type: 'mcp_approval_response', approval_request_id: request?.id, approve: true };
  const second = await ask(tool, { input: [approval], previous_response_id: first.id });
  expect(outputsOf(second)).toEqual(['{"message":"hi"}']);
  expect(sent()).toEqual([CAREFUL]);
  expect(outputsOf(await ask({ ...tool, require_approval: 'never' }))).toEqual(['{"message":"hi"}']);
});

test.each([
  ['of another team’s connection', hosted('team-notes'), 'no credential of your team is stored'],
  ['of a server that takes the caller’s credential', hosted('own-notes'), 'send it as authorization'],
  ['of a server for which the key lacks a scope', hosted('trainers-notes'), 'requires_scope'],
  ['of a server that is disabled', hosted('old-notes'), 'disabled'],
  ['of a server that is not there yet', hosted('notes-to-come'), 'not_implemented'],
  ['that nobody knows', hosted('nobody'), 'GET /tools'],
])('a label is refused, and no server asked: %s', async (_, tool, why) => {
  const [status, code, message] = await refusalOf(tool, stranger);

  expect([status, code]).toEqual([400, 'invalid_request']);
  expect(message).toContain(JSON.stringify(tool.server_label));
  expect(message).toContain(why);
  expect(tools.requests).toEqual([]);
});

test('a label is refused, and no server asked by a stack that does not enable it, which enables another', async () => {
  await admin.run('stack', 'put', 'desk', '--team', TEAM, '--model', 'scripted', '--tool', 'team-notes');
  const model = 'stack:desk';

  expect(outputsOf(await ask(hosted('team-notes'), { model }))).toEqual(['{"message":"hi"}']);
  tools.requests.length = 0;
  const [status, code, message] = await refusalOf(hosted('shared-notes'), api, { model });
  expect([status, code]).toEqual([403, 'tool_not_permitted']);
  expect(message).toContain('"shared-notes"');
  expect(message).toContain('team-notes');
  expect(tools.requests).toEqual([]);
});

test('a stored credential is not kept elsewhere, not logged, not answered, and goes on no redirect', async () => {
  const other = await startScriptedToolServer(cloud.toolServerPorts[1]);
  const answers: string[] = [];
  const remember = async (tool: object, body: object = {}): Promise<ModelResponse> => {
    const { text } = await send({ tools: [tool], store: true, ...body });
    answers.push(text);
    return JSON.parse(text) as ModelResponse;
  };
  try {
    const whole = await remember(hosted('team-notes'));
    await remember(hosted('shared-notes'));
    const streamed = await send({ stream: true, tools: [hosted('team-notes')] });
    expect(readEvents(streamed.text).at(-1)?.type).toBe('response.completed');
    answers.push(streamed.text);
    const waiting = await remember(hosted('careful-notes'));
    const approval_request_id = ofType(waiting, 'mcp_approval_request')[0]?.id;
    await remember(hosted('careful-notes'), {
      input: [{ type: 'mcp_approval_response', approval_request_id, approve: true }],
      previous_response_id: waiting.id,
    });
    // A server that says the credential again: as what its tool answers, and where it fails.
    tools.tools.push({
      name: 'reveal',
      description: `Knows ${OF_TEAM}`,
      inputSchema: { type: 'object', properties: { [OF_TEAM]: { type: 'string' } } },
    });
    tools.behaviours.set('tools/call', (response, { id }, headers) => {
      const content = [{ type: 'text', text: `I was sent ${headers.authorization}.` }];
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
    });
    const revealed = await remember(hosted('team-notes'), { input: 'call reveal {}' });
    expect(outputsOf(revealed)).toEqual(['I was sent [credential].']);
    tools.behaviours.set('*', (response, _message, headers) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(String(headers.authorization));
    });
    tools.behaviours.delete('tools/call');
    await remember(hosted('team-notes'));
    tools.behaviours.clear();
    tools.behaviours.set('*', (response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    await remember(hosted('shared-notes'));
    expect(other.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(other.requests)).not.toContain('canary');

    for (const path of [`${PATH}/${whole.id}`, `${PATH}/${whole.id}/input_items`, '/api/v1/tools']) {
      answers.push((await api.send('GET', path)).text);
    }
    expect(answers.filter((text) => text.includes('canary'))).toEqual([]);
    const { found, places, responsesLogged } = await searchCloud(cloud, 'canary');
    expect(places.filter((where) => where.includes(whole.id))).toHaveLength(1);
    expect(places).toContain('table');
    expect(responsesLogged).toBeGreaterThan(5);
    expect(found).toEqual([]);
  } finally {
    await other.close();
  }
});

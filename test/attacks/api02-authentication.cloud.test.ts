import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { formatApiKey } from '#shared/access/decide/api-key.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { storm } from '#test/helpers/attacking.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { searchCloud } from '#test/helpers/search-cloud.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const LIST = '/api/v1/datasets';
const nobody = createApiClient(cloud.apiUrl, '');
let key = '';
let api: ApiClient;

beforeAll(async () => {
  key = await admin.createKey('impersonated');
  api = createApiClient(cloud.apiUrl, key);
});

test('a key counts nowhere but in its header', async () => {
  const ways: [path: string, headers: Record<string, string>][] = [
    [`${LIST}?api_key=${key}`, {}],
    [`${LIST}?authorization=Bearer%20${key}`, {}],
    [LIST, { cookie: `authorization=Bearer ${key}` }],
    [LIST, { 'x-api-key': key }],
    [LIST, { authorization: key }],
    [LIST, { authorization: `Basic ${Buffer.from(`key:${key}`).toString('base64')}` }],
    [LIST, { authorization: `Bearer ${key}, Bearer ${key}` }],
    [LIST, { authorization: 'Bearer', 'x-authorization': `Bearer ${key}` }],
    [LIST, { 'x-amzn-remapped-authorization': `Bearer ${key}` }],
  ];
  for (const [path, headers] of ways) {
    const { status, problem } = await nobody.send('GET', path, undefined, headers);
    expect([path, headers, status, problem.code]).toEqual([path, headers, 401, 'unauthorized']);
  }
  expect((await api.send('GET', LIST)).status).toBe(200);
});

test('keys that look like keys are refused alike, and no guess is answered otherwise', async () => {
  const body = key.slice(0, -6);
  const guesses = [
    formatApiKey(randomBytes(32)),
    formatApiKey(Buffer.alloc(32)),
    `${body}000000`,
    key.slice(0, -1),
    `${key}0`,
    key.toLowerCase(),
    key.toUpperCase(),
    `${key.slice(0, 8)}${'\u0661'.repeat(2)}`,
    '../../../etc/passwd',
    `${'A'.repeat(6000)}`,
    '__proto__',
  ];
  for (const guess of guesses) {
    const { status, problem } = await createApiClient(cloud.apiUrl, encodeURI(guess)).send('GET', LIST);
    expect([guess, status, problem.code]).toEqual([guess, 401, 'unauthorized']);
  }
});

test('whom a caller claims to be in headers is not believed', async () => {
  const claims = {
    'x-organization-id': randomUUID(),
    'x-team-id': randomUUID(),
    'x-user-id': randomUUID(),
    'x-amzn-requestcontext-authorizer': JSON.stringify({ caller: { team_id: 'other' } }),
  };
  expect((await api.send('GET', LIST, undefined, claims)).body).toMatchObject({ datasets: [] });
  const answer = await api.send('POST', '/api/v1/responses', { model: 'scripted', input: 'Hi' }, claims);
  expect([answer.status, answer.problem.code]).toEqual([403, 'organization_forbidden']);
});

test('a revoked key opens nothing, also while others are tried beside it', async () => {
  const revoked = await admin.createKey('impersonated');
  const listed = await admin.run('key', 'list', '--team', 'impersonated');
  const line = listed.find((each) => revoked.endsWith(each.split(/\s+/)[1] ?? '-')) ?? '';
  await admin.run('key', 'revoke', line.split(/\s+/)[0] ?? '', '--team', 'impersonated');
  const client = createApiClient(cloud.apiUrl, revoked);
  const answers = await storm(30, 10, (n) => (n % 2 === 0 ? client : api).send('GET', LIST));
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 2 === 0 ? 401 : 200)));
});

test('keys are in no log, also where they come in the wrong place', async () => {
  const secret = key.slice('pt_live_'.length, -6);
  await api.send('POST', LIST, `{"source": {"name": "${key}"`);
  await api.send('GET', `${LIST}/${key}`);
  await api.send('POST', `/api/v1/responses`, { model: key, input: 'Hi' });
  await nobody.send('GET', LIST, undefined, { authorization: `Bearer ${key}x` });
  const { found, responsesLogged } = await searchCloud(cloud, secret);
  // Whoever looks in the wrong place finds nothing: this was logged.
  expect(responsesLogged).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

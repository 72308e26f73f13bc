import { beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '#shared/platform/schema/scope.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const clients = new Map<Scope, ApiClient>();
let datasetId = '';

beforeAll(async () => {
  await admin.run('plan', 'set', 'climbing', '--requests-per-second', '1000');
  const owner = createApiClient(
    cloud.apiUrl,
    await admin.createKey('climbing', '--plan', 'climbing', '--credits', '100'),
  );
  datasetId = await owner.upload('own.csv', 'q,a\n1,2\n');
  await owner.untilRead(datasetId);
  for (const scope of SCOPES) {
    clients.set(scope, createApiClient(cloud.apiUrl, await admin.createKey('climbing', '--scopes', scope)));
  }
});

const clientOf = (scope: Scope): ApiClient => {
  const client = clients.get(scope);
  if (client === undefined) throw new Error(`There is no key of the scope ${scope}.`);
  return client;
};

describe.each(SCOPES)('a key of the scope %s alone', (scope) => {
  const others = contracts.filter((contract) => ![null, 'any', scope].includes(contract.scope));

  test.concurrent.each(others)(
    'a key of one scope is refused by $id',
    async ({ id, method, path, scope: wanted }) => {
      const url = path.replace('{dataset_id}', datasetId).replaceAll(/\{[a-z_]+\}/g, crypto.randomUUID());
      const { status, problem } = await clientOf(scope).send(method, url, bodies[id]);

      expect([status, problem.code]).toEqual([403, 'scope_missing']);
      expect(problem.message).toContain(String(wanted));
    },
  );

  test('a key of one scope is told of its own account, and that it has this scope alone', async () => {
    const { status, body } = await clientOf(scope).send('GET', '/api/v1/me');

    expect([status, (body as { scopes: Scope[] }).scopes]).toEqual([200, [scope]]);
  });
});

test('a key that may answer alone reads no rows by way of a search', async () => {
  const { status, problem } = await clientOf('responses').send('POST', '/api/v1/responses', {
    model: 'scripted',
    input: 'What is in it?',
    tools: [{ type: 'file_search', dataset_ids: [datasetId] }],
  });
  expect([status, problem.code]).toEqual([403, 'scope_missing']);
  expect(problem.message).toContain('datasets:read');
});

test('no header, parameter or spelling makes another method of a request', async () => {
  const reader = clientOf('datasets:read');
  const path = `/api/v1/datasets/${datasetId}`;
  for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    expect((await reader.send('GET', path, undefined, { [header]: 'DELETE' })).status).toBe(200);
    expect((await reader.send('POST', path, {}, { [header]: 'DELETE' })).status).toBe(405);
  }
  expect((await reader.send('GET', `${path}?_method=DELETE`)).status).toBeLessThan(500);
  expect((await reader.send('DELETE', path)).status).toBe(403);
  for (const spelled of [
    `${path}/`,
    `${path}%2f`,
    `${path}/../${datasetId}`,
    `${path}/.`,
    `/API/V1/datasets/${datasetId}`,
  ]) {
    expect((await reader.send('DELETE', spelled)).status).toBeGreaterThanOrEqual(403);
  }
  expect((await reader.send('GET', path)).status).toBe(200);
});

test('nothing that administrators do is a route', async () => {
  const owner = clientOf('datasets:write');
  for (const path of [
    '/admin',
    '/api/v1/admin/keys',
    '/api/v1/keys',
    '/api/v1/credits',
    '/api/v1/plans',
    '/api/v1/teams',
    '/api/v1/vouchers',
  ]) {
    for (const method of ['GET', 'POST']) {
      expect([path, (await owner.send(method, path, method === 'POST' ? {} : undefined)).status]).toEqual([
        path,
        404,
      ]);
    }
  }
});

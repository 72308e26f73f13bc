import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { storm } from '#test/helpers/attacking.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const nobody = createApiClient(cloud.apiUrl, '');

test('the routes that answer without a key are the documentation and the console, and those of the document are all there are', async () => {
  const document = JSON.parse(await readFile(join(repositoryRoot, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.sort()).toEqual(contracts.map(({ method, path }) => `${method} ${path}`).sort());

  const statuses = await storm(routes.length, 8, async (n) => {
    const [method = '', path = ''] = routes[n]?.split(' ') ?? [];
    const { status } = await nobody.send(method, path.replaceAll(/\{[a-z_]+\}/g, crypto.randomUUID()));
    return `${routes[n]}: ${status === 401 ? 'closed' : 'open'}`;
  });
  expect(statuses.filter((each) => each.endsWith('open')).sort()).toEqual(
    [
      'GET /api/v1/openapi.json: open',
      'GET /console/{asset}: open',
      'GET /console: open',
      'GET /docs/{asset}: open',
      'GET /docs: open',
    ].sort(),
  );
});

test('there is no older, newer, hidden or debugging version of a route', async () => {
  const api = createApiClient(cloud.apiUrl, await admin.createKey('exploring'));
  const paths = [
    '/api/v0/datasets',
    '/api/v2/datasets',
    '/api/datasets',
    '/v1/datasets',
    '/datasets',
    '/internal/datasets',
    '/api/v1/internal',
    '/api/v1/debug',
    '/metrics',
    '/health',
    '/.env',
    '/.git/config',
    '/swagger.json',
    '/graphql',
    '/docs/../.env',
    '/docs/%2e%2e%2fpackage.json',
    '/console/__proto__',
    '/console/%2e%2e%2findex.mjs',
    '/docs/__proto__',
    '/docs/constructor',
  ];
  for (const path of paths) {
    for (const client of [nobody, api]) {
      const { status } = await client.send('GET', path);
      expect([path, [401, 403, 404, 405].includes(status)]).toEqual([path, true]);
    }
  }
});

test('the open pages hold nothing of any team, key or place of the installation', async () => {
  await admin.createKey('hidden-team-name');
  for (const path of ['/docs', '/api/v1/openapi.json']) {
    const { status, text } = await nobody.send('GET', path);
    expect(status).toBe(200);
    expect(text).not.toContain('hidden-team-name');
    expect(text).not.toContain(cloud.bucketName);
    expect(text).not.toContain(cloud.tableName);
    expect(text).not.toMatch(/pt_live_[0-9A-Za-z]{49}/);
  }
});

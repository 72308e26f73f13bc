import { beforeAll, expect, test } from 'vitest';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { PAGE_ORIGIN } from '#test/helpers/page-origin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const STRANGER = 'https://elsewhere.example';
const CSV = 'q,a\nwhy is it so row-1,because it is\n';

let key = '';
beforeAll(async () => {
  key = await createCloudAdmin(cloud).createKey('browsers-owner', '--credits', '10');
});

const ask = (path: string, init: RequestInit & { origin: string }): Promise<Response> =>
  fetch(`${cloud.apiUrl}${path}`, { ...init, headers: { ...init.headers, origin: init.origin } });

const preflight = (path: string, method: string, origin: string): Promise<Response> =>
  ask(path, {
    method: 'OPTIONS',
    origin,
    headers: {
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });

test.each([
  ['POST', '/api/v1/datasets'],
  ['DELETE', '/api/v1/datasets/00000000-0000-4000-8000-000000000000'],
  ['POST', '/api/v1/responses'],
])('a page of an origin that the installation names may send %s %s with a key', async (method, path) => {
  const { status, headers } = await preflight(path, method, PAGE_ORIGIN);

  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN);
  expect(headers.get('access-control-allow-methods')).toContain(method);
  expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type');
});

test('a page of an origin that the installation names reads answers, errors of the service and errors of the gateway', async () => {
  const authorization = `Bearer ${key}`;
  const read = async (path: string, headers: Record<string, string>) => {
    const answer = await ask(path, { origin: PAGE_ORIGIN, headers });
    return [answer.status, answer.headers.get('access-control-allow-origin')];
  };

  expect(await read('/api/v1/datasets', { authorization })).toEqual([200, PAGE_ORIGIN]);
  expect(await read('/api/v1/datasets/unknown', { authorization })).toEqual([404, PAGE_ORIGIN]);
  expect(await read('/api/v1/nowhere', { authorization })).toEqual([404, PAGE_ORIGIN]);
  expect(await read('/api/v1/datasets', { authorization: 'Bearer nobody' })).toEqual([401, '*']);
});

test('a page of an origin that the installation names puts a file to the URL of an upload and reads its ETag', async () => {
  const created = await ask('/api/v1/datasets', {
    method: 'POST',
    origin: PAGE_ORIGIN,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: { name: 'page.csv' } }),
  });
  const { upload_instructions: upload } = (await created.json()) as {
    upload_instructions: { url: string };
  };
  const put = await fetch(upload.url, { method: 'PUT', headers: { origin: PAGE_ORIGIN }, body: CSV });

  expect(put.status).toBe(200);
  expect(put.headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN);
  expect(put.headers.get('access-control-expose-headers')).toMatch(/etag/i);
});

test('a page of another origin is let through nowhere', async () => {
  const { status, headers } = await preflight('/api/v1/datasets', 'POST', STRANGER);
  const answer = await ask('/api/v1/datasets', {
    origin: STRANGER,
    headers: { authorization: `Bearer ${key}` },
  });

  expect(status).toBe(405);
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/fallback.ts';
import { Problem } from '#shared/platform/schema/problem.ts';
import { contracts } from '#shared/service/contracts/index.ts';

async function ask(method: string, path: string) {
  const answer = await handler(
    { httpMethod: method, pathParameters: { proxy: path.replace(/^\//, '') }, headers: {} },
    { awsRequestId: 'request-1' },
  );
  return {
    status: answer.statusCode,
    headers: answer.headers,
    problem: Problem.parse(JSON.parse(answer.body)),
  };
}

describe.each([...new Set(contracts.map(({ path }) => path))])('%s', (template) => {
  test('a path answers a method that it does not take with a 405 that lists those that it takes', async () => {
    const methods = contracts.filter(({ path }) => path === template).map(({ method }) => method);
    const { status, headers, problem } = await ask('PATCH', template.replaceAll(/\{\w+\}/g, 'some-id'));

    expect([status, problem.code]).toEqual([405, 'method_not_allowed']);
    expect(headers?.allow?.toString().split(', ')).toEqual([...methods].sort());
    expect(headers?.['x-request-id']).toBe('request-1');
    for (const method of methods) expect(problem.message).toContain(method);
  });
});

test.each(['/v1/completions', '/v1/messages'])('POST %s is told of the routes that answer', async (path) => {
  const { status, headers, problem } = await ask('POST', path);

  expect([status, problem.code]).toEqual([404, 'route_not_found']);
  expect(headers).not.toHaveProperty('allow');
  expect(problem.message).toContain('POST /api/v1/chat/completions');
  expect(problem.message).toContain('POST /api/v1/responses');
});

test.each([
  ['/v1/responses', '/api/v1/responses'],
  ['/chat/completions', '/api/v1/chat/completions'],
  ['/v1/chat/completions', '/api/v1/chat/completions'],
  ['/responses', '/api/v1/responses'],
  ['/v1/models', '/api/v1/models'],
  ['/datasets', '/api/v1/datasets'],
  ['/api/v1/datasets/', '/api/v1/datasets'],
  ['/api/v1/dataset', '/api/v1/datasets'],
  ['/api/v1/datasets/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/adpat', '/api/v1/datasets/{dataset_id}/adapt'],
  ['/api/v1/autoscientists', '/api/v1/autoscientist'],
])('GET %s names %s', async (path, meant) => {
  const { status, problem } = await ask('GET', path);

  expect(status).toBe(404);
  expect(problem.message).toContain(`Did you mean ${meant}?`);
});

test.each(['/', '/wp-admin', `/${'x'.repeat(5000)}`, '/a/b/c/d/e/f', '/api/v1/datasets//status'])(
  'a path that is near nothing (%j) is a plain 404 that does not repeat it',
  async (path) => {
    const { status, problem } = await ask('GET', path);

    expect([status, problem.code]).toEqual([404, 'route_not_found']);
    if (path.length > 10) expect(problem.message).not.toContain(path);
  },
);

test.each(['/api/v1/datasets/upload', '/api/v1/datasets/import'])(
  'POST %s is told how to upload',
  async (path) => {
    const { problem } = await ask('POST', path);

    expect(problem.message).toContain('POST /api/v1/datasets/upload/initiate');
  },
);

test('a path that holds /api/v1 twice is told to leave it out of the base URL', async () => {
  const { problem } = await ask('GET', '/api/v1/api/v1/datasets');

  expect(problem.message).toContain('leave it out of the base URL');
});

describe('a browser that asks what a page may send', () => {
  const origin = 'https://app.example';
  const preflight = (headers: Record<string, string>) =>
    handler(
      { httpMethod: 'OPTIONS', pathParameters: { proxy: 'api/v1/datasets' }, headers },
      { awsRequestId: 'request-1' },
    );
  const asked = {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
  };
  beforeEach(() => void vi.stubEnv('CORS_ORIGINS', `http://localhost:5173,${origin}`));
  afterEach(() => void vi.unstubAllEnvs());

  test('a browser that asks what a page may send is told, where the page may call the API', async () => {
    const answer = await preflight(asked);

    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': 'authorization,content-type,idempotency-key',
      'access-control-max-age': '7200',
      vary: 'origin',
    });
  });

  test('a browser that asks what a page may send is told nothing for a page of another origin, and nothing where no page may', async () => {
    const other = await preflight({ ...asked, Origin: 'https://elsewhere.example' });
    vi.stubEnv('CORS_ORIGINS', '');
    const closed = await preflight(asked);

    for (const answer of [other, closed]) {
      expect(answer.statusCode).toBe(405);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelResponse } from '#shared/responses/schema/response.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { startTrap, storm, type Trap } from '#test/helpers/attacking.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
let api: ApiClient;
let trap: Trap;

beforeAll(async () => {
  trap = await startTrap();
  api = createApiClient(cloud.apiUrl, await admin.createKey('forging', '--credits', '100'));
  await model.setScript({ judge: 'fair' });
});
afterAll(() => trap.close());

/** Inside addresses, in the spellings that people hide them in. */
const inside = (port: number): string[] => [
  `http://127.0.0.1:${port}/a.csv`,
  `https://127.0.0.1:${port}/a.csv`,
  `http://localhost:${port}/a.csv`,
  `http://localhost.:${port}/a.csv`,
  `http://127.1:${port}/a.csv`,
  `http://2130706433:${port}/a.csv`,
  `http://0x7f000001:${port}/a.csv`,
  `http://0177.0.0.1:${port}/a.csv`,
  `http://0.0.0.0:${port}/a.csv`,
  `http://[::1]:${port}/a.csv`,
  `http://[::ffff:127.0.0.1]:${port}/a.csv`,
  `http://[::ffff:7f00:1]:${port}/a.csv`,
  `http://[64:ff9b::7f00:1]:${port}/a.csv`,
  `http://user:word@127.0.0.1:${port}/a.csv`,
  `http://example.com@127.0.0.1:${port}/a.csv`,
  `http://127.0.0.1:${port}\\@example.com/a.csv`,
  'https://169.254.169.254/latest/meta-data/a.csv',
  'http://[fd00:ec2::254]/latest/meta-data/a.csv',
  'https://10.0.0.1/a.csv',
  'https://192.168.1.1/a.csv',
  'https://metadata.google.internal/a.csv',
  'file:///etc/passwd.csv',
  'gopher://127.0.0.1/a.csv',
  `${cloud.endpoint}/_health/a.csv`,
];
const REFUSED =
  /^(source_refused|source_unusable|invalid_request|source_unavailable|source_missing|source_unsupported)$/;

test('an import from an inside address brings nothing, however the address is spelled', async () => {
  const urls = inside(trap.port);
  const refusals = await storm(urls.length, 6, async (n) => {
    const url = urls[n] as string;
    const created = await api.send<{ dataset_id: string }>('POST', '/api/v1/datasets', {
      source: { url },
    });
    if (created.status >= 400) return [url, created.problem.code];
    const { status, error_data } = await api.untilRead(created.body.dataset_id);
    return [url, status === 'failed' ? error_data?.code : status];
  });
  for (const [url, code] of refusals) expect([url, code]).toEqual([url, expect.stringMatching(REFUSED)]);
  expect(trap.reached).toEqual([]);
});

test('an import is not led inside by a redirect of a provider', async () => {
  for (const target of inside(trap.port).slice(0, 3)) {
    const url = `${cloud.hub.storeUrl}/jump/${encodeURIComponent(target)}`;
    const created = await api.send<{ dataset_id: string }>('POST', '/api/v1/datasets', { source: { url } });
    expect(await api.untilRead(created.body.dataset_id)).toMatchObject({
      status: 'failed',
      error_data: { code: 'source_refused' },
    });
  }
  expect(trap.reached).toEqual([]);
});

test('a webhook reaches no inside address, however the address is spelled', async () => {
  const urls = inside(trap.port);
  const created = await api.send<{ webhook_id: string }>('POST', '/api/v1/webhooks', {
    url: 'https://example.com/hooks',
  });
  const path = `/api/v1/webhooks/${created.body.webhook_id}`;
  const refusals = await storm(urls.length, 6, async (n) => {
    const url = urls[n] as string;
    const answers = [
      await api.send('POST', '/api/v1/webhooks', { url }),
      await api.send('POST', path, { url }),
    ];
    return answers.map(({ status, problem }) => [url, status, problem.code]);
  });

  for (const [url, ...refusal] of refusals.flat())
    expect([url, ...refusal]).toEqual([url, 400, 'invalid_request']);
  expect((await api.send('GET', path)).body).toMatchObject({ url: 'https://example.com/hooks' });
  expect((await api.send('DELETE', path)).status).toBe(200);
  expect(trap.reached).toEqual([]);
});

test('an answer asks no tool server at an inside address, and says so', async () => {
  const urls = inside(trap.port).filter((url) => /^https?:/.test(url));
  for (let at = 0; at < urls.length; at += 8) {
    const tools = urls.slice(at, at + 8).map((server_url, n) => ({
      type: 'mcp',
      server_label: `inside${n}`,
      server_url,
      require_approval: 'never',
    }));
    const { status, text } = await api.send<ModelResponse>('POST', '/api/v1/responses', {
      model: 'scripted',
      input: 'Hi',
      tools,
    });
    expect(status).toBeLessThan(500);
    expect(text).not.toContain('secret');
    if (status !== 200) continue;
    const lists = (JSON.parse(text) as ModelResponse).output.filter(({ type }) => type === 'mcp_list_tools');
    for (const list of lists) expect(list).toMatchObject({ tools: [], error: expect.any(String) });
  }
  expect(trap.reached).toEqual([]);
});

test('an answer hands its model no link to an inside address', async () => {
  const urls = inside(trap.port).filter((url) => /^https?:/.test(url));
  const before = (await model.stats()).requests;
  const answers = await Promise.all(
    urls.map((image_url) =>
      api.send('POST', '/api/v1/responses', {
        model: 'scripted',
        input: [{ role: 'user', content: [{ type: 'input_image', image_url }] }],
      }),
    ),
  );
  for (const [n, { status }] of answers.entries()) expect([urls[n], status]).toEqual([urls[n], 400]);
  expect((await model.stats()).requests).toBe(before);
  expect(trap.reached).toEqual([]);
});

test('an answer forwards no tool that its provider would run and nobody has priced', async () => {
  for (const tool of [
    { type: 'web_search' },
    { type: 'web_fetch', url: `http://127.0.0.1:${trap.port}/` },
    { type: 'code_interpreter', container: { type: 'auto' } },
  ]) {
    const { status, problem } = await api.send('POST', '/api/v1/responses', {
      model: 'scripted',
      input: 'News?',
      tools: [tool],
    });
    expect([tool.type, status, problem.message.includes(tool.type)]).toEqual([tool.type, 400, true]);
  }
});

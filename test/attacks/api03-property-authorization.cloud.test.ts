import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
let api: ApiClient;
let datasetId = '';

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey('assigning', '--credits', '10'));
  datasetId = await api.upload('rows.csv', 'q,a\nwhy,because\n');
  await api.untilRead(datasetId);
});

describe('fields that belong to the service', () => {
  const OWNED = {
    team_id: 'other',
    created_by_user_id: crypto.randomUUID(),
    status: 'succeeded',
    state: 'succeeded',
    row_count: 7,
    credits: 1_000_000,
    available_credits: 1_000_000,
    reserved_credits: 0,
    list_pk: 'TEAM#other#DATASETS',
    pk: 'TEAM#other',
    sk: 'BALANCE',
    plan: { requests_per_second: 10_000 },
    scopes: ['training'],
  };

  test('fields that belong to the service set none of them, wherever a caller names them', async () => {
    const earlier = await api.get(datasetId);
    const before = (await admin.run('ledger', 'check', '--team', 'assigning')).at(-1);
    const created = await api.send('POST', '/api/v1/datasets', {
      ...OWNED,
      source: { name: 'a.csv', ...OWNED },
    });
    if (created.status === 201 || created.status === 200) {
      const { dataset_id } = created.body as { dataset_id: string };
      expect(await api.get(dataset_id)).toMatchObject({ status: 'pending', row_count: null });
    } else expect(created.status).toBe(400);
    for (const [path, body] of [
      [`/api/v1/datasets/${datasetId}/adapt`, { estimate: true, column_mapping: { prompt: 'q' } }],
      ['/api/v1/datasets/invent', { rows: 10, domains: ['medical'], estimate: true }],
      ['/api/v1/responses', { model: 'scripted', input: 'Hi', usage: { total_tokens: 0 }, id: 'resp_1' }],
    ] as const) {
      const { status, text } = await api.send('POST', path, { ...OWNED, ...body });
      expect([path, status < 500]).toEqual([path, true]);
      expect(text).not.toContain('1000000');
    }
    expect(await api.get(datasetId)).toEqual(earlier);
    // But for what the answer cost, which is held or settled.
    const after = (await admin.run('ledger', 'check', '--team', 'assigning')).at(-1) ?? '';
    expect(after).toMatch(/holds$/);
    expect(before).toMatch(/ 10 +0 +0 +10 +holds$/);
    expect(Number(/ (\d+) +\d+ +\d+ +\d+ +holds$/.exec(after)?.[1])).toBe(10);
  });

  test('fields that belong to the service are in no answer where they are nobody’s business', async () => {
    const texts = await Promise.all(
      [
        `/api/v1/datasets/${datasetId}`,
        `/api/v1/datasets/${datasetId}/status`,
        '/api/v1/datasets',
        '/api/v1/models',
        '/api/v1/tools',
      ].map(async (path) => (await api.send('GET', path)).text),
    );
    for (const text of texts) {
      expect(text).not.toMatch(
        /"(team_id|pk|sk|list_pk|key_hash|active_run_id|execution_arn|authorization)"/,
      );
      expect(text).not.toMatch(/arn:aws:|127\.0\.0\.1:\d+\/mcp\?/);
    }
  });
});

test('names that every object has are columns as others are', async () => {
  const id = await api.upload('names.csv', `${PROTOTYPE_NAMES.join(',')}\n1,2,3,4,5\n`);
  expect(await api.untilRead(id)).toMatchObject({ status: 'awaiting_input', row_count: 1 });
  expect(await api.download(id, 'csv')).toBe(`${PROTOTYPE_NAMES.join(',')}\n1,2,3,4,5\n`);
  const jsonl = await api.upload(
    'names.jsonl',
    `{${PROTOTYPE_NAMES.map((name) => `${JSON.stringify(name)}:{"polluted":"yes"}`).join(',')}}\n`,
  );
  expect(await api.untilRead(jsonl)).toMatchObject({ status: 'awaiting_input', row_count: 1 });
  expect(await api.download(jsonl, 'jsonl')).toContain('"__proto__":');
});

test.each(PROTOTYPE_NAMES)(
  '%s is neither a column, a language, a model, a scope nor a domain',
  async (name) => {
    const tries: [string, unknown][] = [
      [`/api/v1/datasets/${datasetId}/adapt`, { estimate: true, column_mapping: { prompt: name } }],
      [`/api/v1/datasets/${datasetId}/adapt`, `{"estimate": true, "${name}": {"prompt": "q"}}`],
      [`/api/v1/datasets/${datasetId}/translate`, { languages: [name], sample_rate: 1, estimate: true }],
      ['/api/v1/datasets/invent', { rows: 10, domains: [name], estimate: true }],
      ['/api/v1/responses', { model: name, input: 'Hi' }],
      ['/api/v1/responses', { model: `stack:${name}`, input: 'Hi' }],
      ['/api/v1/responses', { model: 'scripted', input: 'Hi', tools: [{ type: name }] }],
      ['/api/v1/responses', `{"model": "scripted", "input": "Hi", "tools": [{"${name}": {"type": "mcp"}}]}`],
      ['/api/v1/autoscientist', { dataset_id: datasetId, model_name: name }],
    ];
    for (const [path, body] of tries) {
      const { status, text } = await api.send('POST', path, body);
      expect([path, body, status >= 400 && status < 500, text]).toEqual([path, body, true, text]);
    }
  },
);

test('names that every object has: change nothing for the requests that follow in the same process', async () => {
  await api.send('POST', '/api/v1/datasets', '{"source":{"name":"a","__proto__":{"polluted":true}}}');
  const { text } = await api.send('GET', `/api/v1/datasets/${datasetId}`);
  expect(text).not.toContain('polluted');
});

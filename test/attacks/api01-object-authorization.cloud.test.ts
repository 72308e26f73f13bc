import { beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const RESPONSES = '/api/v1/responses';
let owner: ApiClient;
let thief: ApiClient;
let own = '';
let foreign = '';
let before: Awaited<ReturnType<ApiClient['get']>>;
let response = '';
let uploadKey = '';
let batch = { dataset_id: '', s3_key: '' };

beforeAll(async () => {
  owner = createApiClient(cloud.apiUrl, await admin.createKey('attacked', '--credits', '1000'));
  thief = createApiClient(cloud.apiUrl, await admin.createKey('thieves', '--credits', '1000'));
  foreign = await owner.upload('secret.csv', 'q,a\nwhere is it,in the safe\n');
  own = await thief.upload('own.csv', 'q,a\nwhat,this\n');
  await Promise.all([owner.untilRead(foreign), thief.untilRead(own)]);
  before = await owner.get(foreign);
  const answer = await owner.send<{ id: string }>('POST', RESPONSES, {
    model: 'scripted',
    input: 'The safe is blue.',
    store: true,
  });
  response = answer.body.id;
  const initiated = await owner.send<{ s3_key: string }>('POST', '/api/v1/datasets/upload/initiate', {
    name: 'x.csv',
    file_format: 'csv',
  });
  uploadKey = initiated.body.s3_key;
  const begun = await owner.send<{ dataset_id: string; uploads: { s3_key: string }[] }>(
    'POST',
    '/api/v1/datasets/upload/initiate-batch',
    { name: 'x', files: [{ file_name: 'x.csv', file_format: 'csv', file_size_bytes: 8 }] },
  );
  batch = { dataset_id: begun.body.dataset_id, s3_key: begun.body.uploads[0]?.s3_key ?? '' };
}, 120_000);

/** What a refusal says, but for its request id and the id that was asked for. */
async function refusalOf(method: string, path: string, body: unknown, id: string) {
  const { status, problem } = await thief.send(method, path, body);
  return {
    status,
    ...(JSON.parse(JSON.stringify(problem).replaceAll(id, 'ID')) as typeof problem),
    request_id: '',
  };
}

test.each([
  ['its dataset', 'GET', (id: string) => `/api/v1/datasets/${id}`, undefined],
  ['its rows', 'GET', (id: string) => `/api/v1/datasets/${id}/download?fileFormat=jsonl`, undefined],
  ['the links to its files', 'GET', (id: string) => `/api/v1/datasets/${id}/export-links`, undefined],
  ['its run', 'GET', (id: string) => `/api/v1/datasets/${own}/download?run_id=${id}`, undefined],
  ['its custom evaluations', 'GET', (id: string) => `/api/v1/datasets/${id}/custom-evals`, undefined],
  ['its deletion', 'DELETE', (id: string) => `/api/v1/datasets/${id}`, undefined],
  ['a training on it', 'POST', () => '/api/v1/autoscientist', (id: string) => ({ dataset_id: id })],
  [
    'a recommendation for it',
    'POST',
    () => '/api/v1/autoscientist/recommend-hyperparams',
    (id: string) => ({ dataset_id: id }),
  ],
  [
    'a search of it',
    'POST',
    () => RESPONSES,
    (id: string) => ({
      model: 'scripted',
      input: 'Where is it?',
      tools: [{ type: 'file_search', dataset_ids: [id] }],
    }),
  ],
  ['its training', 'GET', (id: string) => `/api/v1/autoscientist/${id}`, undefined],
  [
    'a trained model of it',
    'POST',
    () => RESPONSES,
    (id: string) => ({ model: id, input: 'What do you know?' }),
  ],
] as const)('another team’s object is as one that does not exist: %s', async (_, method, path, body) => {
  const answers = await Promise.all(
    [foreign, UNKNOWN].map((id) => refusalOf(method, path(id), body?.(id), id)),
  );

  expect(answers[0]?.status).toBe(404);
  expect(answers[0]).toEqual(answers[1]);
});

test('a webhook can neither be read, changed, sent to nor deleted', async () => {
  const path = '/api/v1/webhooks';
  const { body: webhook } = await owner.send<{ webhook_id: string }>('POST', path, {
    url: 'https://example.com/hooks',
  });
  for (const [method, end, body] of [
    ['GET', '', undefined],
    ['POST', '', { url: 'https://example.com/thief' }],
    ['POST', '/rotate-secret', undefined],
    ['POST', '/test', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', '/deliveries/1/retry', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    const answers = await Promise.all(
      [webhook.webhook_id, UNKNOWN].map((id) => refusalOf(method, `${path}/${id}${end}`, body, id)),
    );
    expect([method, end, answers[0]?.status]).toEqual([method, end, 404]);
    expect(answers[0]).toEqual(answers[1]);
  }

  expect((await thief.send('GET', path)).body).toEqual({ webhooks: [] });
  expect((await owner.send('GET', `${path}/${webhook.webhook_id}`)).body).toMatchObject({
    url: 'https://example.com/hooks',
    status: 'enabled',
  });
  await owner.send('DELETE', `${path}/${webhook.webhook_id}`);
});

test('a conversation can neither be read, continued nor deleted', async () => {
  const forged = `resp_${'0'.repeat(32)}`;
  for (const [method, path, body] of [
    ['GET', (id: string) => `${RESPONSES}/${id}`, undefined],
    ['GET', (id: string) => `${RESPONSES}/${id}/input_items`, undefined],
    ['DELETE', (id: string) => `${RESPONSES}/${id}`, undefined],
    [
      'POST',
      () => RESPONSES,
      (id: string) => ({ model: 'scripted', input: 'Repeat it.', previous_response_id: id }),
    ],
  ] as const) {
    const answers = await Promise.all(
      [response, forged].map((id) => refusalOf(method, path(id), body?.(id), id)),
    );
    expect(answers[0]).toMatchObject({ status: 404, code: 'response_not_found' });
    expect(answers[0]).toEqual(answers[1]);
  }
});

test('an upload can be neither completed nor taken over, whatever its key is made to look like', async () => {
  const keys = [
    uploadKey,
    batch.s3_key,
    `datasets/${foreign}/source.csv`,
    `uploads/../datasets/${foreign}/source.csv`,
  ];
  for (const s3_key of keys) {
    const { status } = await thief.send('POST', '/api/v1/datasets/upload/complete', {
      s3_key,
      name: 'mine',
      file_format: 'csv',
      file_size_bytes: 8,
    });
    expect([s3_key, status]).toEqual([s3_key, 400]);
  }
  const taken = await thief.send('POST', '/api/v1/datasets/upload/complete-batch', {
    dataset_id: batch.dataset_id,
    files: [{ s3_key: batch.s3_key, file_name: 'x.csv', file_format: 'csv', file_size_bytes: 8 }],
  });
  expect([taken.status, taken.problem.code]).toEqual([404, 'dataset_not_found']);
});

test('a cursor of another team’s list shows nothing of it', async () => {
  await owner.upload('second.csv', 'q,a\n1,2\n');
  const page = await owner.send<{ next_cursor: string | null }>('GET', '/api/v1/datasets?limit=1');
  const cursor = page.body.next_cursor ?? '';
  expect(cursor).not.toBe('');
  const { status, text } = await thief.send('GET', `/api/v1/datasets?limit=1&cursor=${cursor}`);
  expect(status).toBe(400);
  expect(text).not.toContain(foreign);
});

test('nothing of it was changed', async () => {
  expect(await owner.get(foreign)).toEqual(before);
  expect((await owner.send('GET', `${RESPONSES}/${response}`)).status).toBe(200);
});

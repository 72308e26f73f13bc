import { deflateRawSync } from 'node:zlib';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { type HubFile, putAtHub } from '#test/helpers/scripted-hub.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const { huggingFaceUrl, kaggleUrl, googleSheetsUrl, storeUrl } = cloud.hub;
let api = createApiClient(cloud.apiUrl, '');
let teamId = '';

beforeAll(async () => {
  await admin.run('plan', 'set', 'imports', '--requests-per-second', '1000');
  api = createApiClient(cloud.apiUrl, await admin.createKey('imports', '--plan', 'imports'));
  [teamId = ''] = await admin.run('team', 'create', 'imports');
});

const put = (key: string, body: HubFile['body'], fields: Partial<HubFile> = {}) =>
  putAtHub(storeUrl, key, { body, ...fields });

async function create(source: object, outer: object = {}): Promise<string> {
  const { body } = await api.send<{ dataset_id: string; status: string; upload_instructions: null }>(
    'POST',
    '/api/v1/datasets',
    { source, ...outer },
  );
  expect(body).toMatchObject({ status: 'pending', upload_instructions: null });
  return body.dataset_id;
}

const HUB = `${huggingFaceUrl}/datasets/team/set`;
const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, n) => `why ${from + n}?,because ${from + n}\n`).join('');

test('an import of several files of a hub becomes one dataset, which can be adapted and downloaded', async () => {
  await put('hf:team/set@v1/data/1.csv', `question,answer\n${rows(0, 3)}`);
  await put('hf:team/set@v1/data/2.csv', `question,answer\n${rows(3, 5)}`);

  const datasetId = await create({ url: `${HUB}/tree/v1`, files: ['data/1.csv', 'data/2.csv'] });

  expect(await api.untilRead(datasetId)).toMatchObject({ status: 'awaiting_input', row_count: 5 });
  expect(await api.get(datasetId)).toMatchObject({ kind: 'uploaded', name: 'set', error_data: null });
  expect(await api.download(datasetId, 'csv')).toBe(`question,answer\n${rows(0, 5)}`);
});

test('an import of a gated file takes the token that the team has stored', async () => {
  await put('hf:team/gated@main/a.csv', 'q,a\n1,2\n', { authorization: 'Bearer hf_of_the_team' });
  const source = { url: `${huggingFaceUrl}/datasets/team/gated`, files: ['a.csv'] };

  const refused = await api.untilRead(await create(source));
  expect(refused).toMatchObject({ status: 'failed', error_data: { code: 'source_denied' } });

  const secrets = new SecretsManagerClient({ endpoint: cloud.endpoint, region: 'us-east-1' });
  await secrets.send(
    new CreateSecretCommand({
      Name: `tunesmith/local/connections/${teamId}/huggingface`,
      SecretString: 'hf_of_the_team',
    }),
  );
  expect(await api.untilRead(await create(source))).toMatchObject({ row_count: 1 });
});

test('an import of a file that Kaggle zips is read as the file in it, in raw mode', async () => {
  const body = Buffer.from(`question,answer\n${rows(0, 4)}`);
  const data = deflateRawSync(body);
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  await put(
    'kaggle:team/set/a.csv',
    Buffer.concat([header, data, Buffer.from('PK\x01\x02'), Buffer.alloc(64)]),
  );

  const datasetId = await create({
    type: 'kaggle',
    url: `${kaggleUrl}/datasets/team/set`,
    files: ['a.csv'],
    processing_mode: 'raw',
    column_mapping: { prompt: 'question', completion: 'answer' },
  });

  expect(await api.untilEnded(datasetId)).toMatchObject({ status: 'succeeded', row_count: 4 });
});

test('an import of a shared spreadsheet takes every tab', async () => {
  await put('sheet:abc/first', `question,answer\n${rows(0, 2)}`);
  await put('sheet:abc/second', `question,answer\n${rows(2, 3)}`);

  const datasetId = await create({ url: `${googleSheetsUrl}/spreadsheets/d/abc/edit`, access: 'public' });

  expect(await api.untilRead(datasetId)).toMatchObject({ row_count: 3 });
});

test('an import of one object of 40 MB goes on after the connection broke, and after 429', async () => {
  const line = `${'x'.repeat(990)},answer\n`;
  const body = `question,answer\n${line.repeat(40_000)}`;
  await put('store:bucket/large.csv', body, {
    faults: [{ cutAfter: 20_000_000 }, { status: 429, retryAfter: '1' }],
  });

  const datasetId = await create({ url: `${storeUrl}/bucket/large.csv` });

  expect(await api.untilRead(datasetId)).toMatchObject({ status: 'awaiting_input', row_count: 40_000 });
});

test('an import that is deferred waits until it is started', async () => {
  await put('store:bucket/later.csv', 'q,a\n1,2\n');
  const datasetId = await create({ url: `${storeUrl}/bucket/later.csv` }, { defer_adaption: true });
  expect(await api.get(datasetId)).toMatchObject({ status: 'pending', run_id: null });

  (await api.send('POST', `/api/v1/datasets/${datasetId}/start-adaption`)).body;

  expect(await api.untilRead(datasetId)).toMatchObject({ row_count: 1 });
});

describe('an import that cannot be ends as a failed dataset that says why', () => {
  const failing = async (source: object) => {
    const read = await api.untilRead(await create(source));
    expect(read).toMatchObject({ status: 'failed', row_count: null });
    return read.error_data;
  };

  test('an import that cannot be ends as a failed dataset that says why: files of two schemas', async () => {
    await put('hf:team/set@main/a.csv', 'q,a\n1,2\n');
    await put('hf:team/set@main/b.csv', 'q,b\n1,2\n');

    expect(await failing({ url: HUB, files: ['a.csv', 'b.csv'] })).toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringMatching(/"a\.csv" and "b\.csv"/),
    });
  });

  test('an import that cannot be ends as a failed dataset that says why: a raw mapping of a column that there is not', async () => {
    await put('hf:team/set@main/a.csv', 'q,a\n1,2\n');
    const raw = { processing_mode: 'raw', column_mapping: { prompt: 'q', completion: 'missing' } };

    expect(await failing({ url: HUB, files: ['a.csv'], ...raw })).toMatchObject({
      code: 'column_unknown',
      message: expect.stringMatching(/missing.*q.*a/s),
    });
  });

  test('an import that cannot be ends as a failed dataset that says why: a file that is not there', async () => {
    expect(await failing({ url: HUB, files: ['nothing.csv'] })).toMatchObject({ code: 'source_missing' });
  });

  test('an import that cannot be ends as a failed dataset that says why: a web page instead of data', async () => {
    await put('store:bucket/page.csv', '<!doctype html><p>Sign in</p>', { contentType: 'text/html' });

    expect(await failing({ url: `${storeUrl}/bucket/page.csv` })).toMatchObject({ code: 'source_unusable' });
  });

  test('an import that cannot be ends as a failed dataset that says why: a redirect that leads inside: to the metadata of the cloud, and to this cloud itself', async () => {
    for (const inside of [
      'https://169.254.169.254/latest/meta-data/a.csv',
      `${cloud.endpoint}/_health/a.csv`,
    ]) {
      const url = `${storeUrl}/jump/${encodeURIComponent(inside)}`;
      expect(await failing({ url })).toMatchObject({ code: 'source_refused' });
    }
  });
});

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const s3 = new S3Client({ endpoint: cloud.endpoint, region: 'us-east-1', forcePathStyle: true });
let api = createApiClient(cloud.apiUrl, '');

beforeAll(async () => {
  await admin.run('plan', 'set', 'files', '--requests-per-second', '1000', '--runs-at-once', '100');
  api = createApiClient(cloud.apiUrl, await admin.createKey('files', '--plan', 'files'));
});
afterAll(() => s3.destroy());

type Content = string | Uint8Array<ArrayBuffer>;

const bytesOf = (content: Content): Buffer => Buffer.from(content as string);
const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

/** PNG's first bytes and its header chunk. */
const PNG = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0,
  1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89,
]);

async function parquetOf(sql: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'tunesmith-files-'));
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run(`COPY (${sql}) TO '${folder}/data.parquet' (FORMAT parquet)`);
    return new Uint8Array(await readFile(`${folder}/data.parquet`));
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
}

async function kept(datasetId: string, name: string): Promise<Buffer> {
  const { Body } = await s3.send(
    new GetObjectCommand({ Bucket: cloud.bucketName, Key: objectKeys.raw(datasetId, name) }),
  );
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** What is told of files in which something was lost. */
const WARNINGS: Readonly<Record<string, readonly string[]>> = {
  'a short row is filled with empty cells': ['rows_short', 'warning'],
  'a repeated column name gets a number': ['columns_renamed', 'warning'],
};

describe('files that are read', () => {
  const CR = '\r';
  test.concurrent.each<[string, string, Content, Record<string, unknown>[]]>([
    ['a BOM is no part of the first column', 'bom.csv', '\ufeffa,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['UTF-16 becomes UTF-8', 'utf16.csv', utf16('ä,b\né,☃\n'), [{ ä: 'é', b: '☃' }]],
    [
      'lines may end in CRLF',
      'crlf.csv',
      `a,b${CR}\n1,x${CR}\n2,y${CR}\n`,
      [
        { a: '1', b: 'x' },
        { a: '2', b: 'y' },
      ],
    ],
    ['cells may be separated by semicolons', 'semi.csv', 'a;b\n1,5;x\n', [{ a: '1,5', b: 'x' }]],
    ['cells may be separated by tabs', 'tabs.csv', 'a\tb\n1\tx, y\n', [{ a: '1', b: 'x, y' }]],
    [
      'a quoted cell keeps its line breaks, quotes and separators',
      'quoted.csv',
      'a,b\n"one\ntwo, ""three""",x\n',
      [{ a: 'one\ntwo, "three"', b: 'x' }],
    ],
    [
      'a short row is filled with empty cells',
      'short.csv',
      'a,b,c\n1\n1,2,3\n',
      [
        { a: '1', b: '', c: '' },
        { a: '1', b: '2', c: '3' },
      ],
    ],
    ['a repeated column name gets a number', 'twice.csv', 'a,a\n1,2\n', [{ a: '1', a_2: '2' }]],
    ['cells are never taken for numbers', 'text.csv', 'n,m\n007,1e3\n', [{ n: '007', m: '1e3' }]],
    [
      'nested JSON comes back as it was',
      'nested.json',
      '[{"chat":[{"role":"user","content":"hi"}],"n":-1.5}]',
      [{ chat: [{ role: 'user', content: 'hi' }], n: -1.5 }],
    ],
    [
      'JSON lines may lack keys that others have',
      'keys.jsonl',
      '{"a":1}\n\n{"b":"x"}\n',
      [
        { a: 1, b: null },
        { a: null, b: 'x' },
      ],
    ],
  ])('files that are read: %s', async (guarantee, name, content, rows) => {
    const datasetId = await api.upload(name, content, {
      sha256: createHash('sha256').update(bytesOf(content)).digest('hex'),
    });
    const read = await api.untilRead(datasetId);
    expect([read.error_data?.code, read.error_data?.level]).toEqual(
      WARNINGS[guarantee] ?? [undefined, undefined],
    );
    expect(read.row_count).toBe(rows.length);
    const blank = Object.fromEntries(rows.flatMap((row) => Object.keys(row)).map((column) => [column, null]));
    expect((await api.rows(datasetId)).map((row) => ({ ...blank, ...row }))).toEqual(
      rows.map((row) => ({ ...blank, ...row })),
    );
    expect((await kept(datasetId, name)).equals(bytesOf(content))).toBe(true);
  });

  test('files that are read: numbers beyond the precision of doubles come back digit for digit', async () => {
    const datasetId = await api.upload('digits.jsonl', '{"n":12345678901234567890,"x":1.0}\n');
    await api.untilRead(datasetId);
    expect(await api.download(datasetId, 'jsonl')).toBe('{"n":12345678901234567890,"x":1.0}\n');
  });
});

describe('files that cannot be read fail the dataset, saying what and where, and are kept', () => {
  const cases: [string, string, () => Promise<Content> | Content, string, RegExp][] = [
    ['an empty CSV file', 'empty.csv', () => '', 'file_empty', /is empty/],
    ['an empty Parquet file', 'empty.parquet', () => '', 'file_empty', /is empty/],
    ['a header without rows', 'header.csv', () => 'a,b\n', 'file_empty', /header of 2 columns and no rows/],
    ['an empty JSON array', 'none.json', () => '[]', 'file_empty', /holds no objects/],
    [
      'a row with too many cells',
      'ragged.csv',
      () => 'a,b\n1,2\n1,2,3\n',
      'file_unreadable',
      /line 3 has 3 cells.*header has 2/,
    ],
    ['NUL bytes', 'nul.csv', () => 'a,b\n1,2\n1,\0\n', 'file_unreadable', /Line 3 holds a NUL byte/],
    [
      'a quote that is never closed',
      'open.csv',
      () => 'a,b\n1,"2\n3,4\n',
      'file_unreadable',
      /line 2.*Close the quote/,
    ],
    [
      'bytes that are no UTF-8',
      'latin1.csv',
      () => new Uint8Array(Buffer.from('a,b\ncaf\x81,2\n', 'latin1')),
      'file_unreadable',
      /byte 7 \(0x81\)/,
    ],
    ['a picture that is named .csv', 'picture.csv', () => PNG, 'file_unreadable', /a PNG image/],
    [
      'a CSV file that is named .parquet',
      'text.parquet',
      () => 'a,b\n1,2\n',
      'file_unreadable',
      /not those of a Parquet file/,
    ],
    ['JSON that is an object', 'object.json', () => '{"a":1}', 'file_unreadable', /array of objects/],
    [
      'an array of something else',
      'numbers.json',
      () => '[{"a":1},2]',
      'file_unreadable',
      /Element 1 of the array.*not an object/,
    ],
    [
      'JSON that was cut off',
      'cut.json',
      () => '[{"a":1},{"a":',
      'file_unreadable',
      /ends before its array is closed/,
    ],
    ['a broken line of JSON lines', 'broken.jsonl', () => '{"a":1}\n{"a":\n', 'file_unreadable', /Line 2/],
    [
      'a Parquet file that was cut off',
      'cut.parquet',
      async () => (await parquetOf("SELECT n, n || 'x' AS s FROM range(1000) t(n)")).slice(0, -40),
      'file_unreadable',
      /cut off or damaged/,
    ],
  ];
  test.concurrent.each(cases)(
    'files that cannot be read fail the dataset, saying what and where, and are kept: %s',
    async (_what, name, make, code, message) => {
      const content = await make();
      const datasetId = await api.upload(name, content);
      const read = await api.untilRead(datasetId);
      expect(read).toMatchObject({ status: 'failed', row_count: null, error_data: { code, level: 'error' } });
      expect(read.error_data?.message).toMatch(message);
      expect(await api.get(datasetId)).toMatchObject({
        status: 'failed',
        error: { message: read.error_data?.message },
      });
      expect((await kept(datasetId, name)).equals(bytesOf(content))).toBe(true);
      expect((await api.send('GET', `/api/v1/datasets/${datasetId}/download`)).problem.code).toBe(
        'no_data_yet',
      );
    },
  );

  test('files that cannot be read fail the dataset, saying what and where, and are kept: a file whose SHA-256 is another one', async () => {
    const datasetId = await api.upload('damaged.csv', 'a,b\n1,2\n', { sha256: 'ab'.repeat(32) });
    const read = await api.untilRead(datasetId);
    expect(read).toMatchObject({
      status: 'failed',
      row_count: null,
      error_data: { code: 'upload_mismatch' },
    });
    expect(read.error_data?.message).toContain('abababab');
    expect((await kept(datasetId, 'damaged.csv')).toString()).toBe('a,b\n1,2\n');
  });

  test('files that cannot be read fail the dataset, saying what and where, and are kept: a row of 200 MB', async () => {
    const created = await api.send<{ dataset_id: string; upload_instructions: { url: string } }>(
      'POST',
      '/api/v1/datasets',
      { source: { name: 'long.csv' } },
    );
    const { dataset_id: datasetId, upload_instructions: instructions } = created.body;
    const block = Buffer.alloc(1_000_000, 'x');
    const bytes = 4 + 200 * block.length;
    await putStream(instructions.url, bytes, function* () {
      yield Buffer.from('a,b\n');
      for (let n = 0; n < 200; n += 1) yield block;
    });
    (await api.send('POST', `/api/v1/datasets/${datasetId}/upload/complete`, { file_size_bytes: bytes }))
      .body;
    const read = await api.untilRead(datasetId);
    expect(read).toMatchObject({ status: 'failed', error_data: { code: 'file_unreadable' } });
    expect(read.error_data?.message).toMatch(/line 2 is larger than 16 MiB/);
    const head = await s3.send(
      new HeadObjectCommand({ Bucket: cloud.bucketName, Key: objectKeys.raw(datasetId, 'long.csv') }),
    );
    expect(head.ContentLength).toBe(bytes);
  });
});

describe('uploads that are refused on completion stay usable', () => {
  const CSV = 'a,b\n1,2\n';

  async function created(): Promise<{
    complete: (body: object) => ReturnType<typeof api.send>;
    url: string;
    id: string;
  }> {
    const answer = await api.send<{ dataset_id: string; upload_instructions: { url: string } }>(
      'POST',
      '/api/v1/datasets',
      { source: { name: 'again.csv' } },
    );
    const id = answer.body.dataset_id;
    return {
      id,
      url: answer.body.upload_instructions.url,
      complete: (body) => api.send('POST', `/api/v1/datasets/${id}/upload/complete`, body),
    };
  }

  test('uploads that are refused for a size that does not match, or a file that is not there, stay usable', async () => {
    const upload = await created();
    const missing = await upload.complete({ file_size_bytes: 8 });
    expect(missing.status).toBe(400);
    expect(missing.problem.code).toBe('upload_missing');

    await fetch(upload.url, { method: 'PUT', body: CSV });
    const wrong = await upload.complete({ file_size_bytes: 9 });
    expect(wrong.status).toBe(400);
    expect(wrong.problem).toMatchObject({
      code: 'upload_mismatch',
      details: [{ path: 'file_size_bytes', actual: 8 }],
    });
    expect((await upload.complete({ file_size_bytes: 8 })).status).toBe(200);
    expect((await api.untilRead(upload.id)).row_count).toBe(1);
  });

  test('an upload may name any content type, or none', async () => {
    for (const type of ['application/octet-stream', 'text/csv']) {
      const upload = await created();
      const put = await fetch(upload.url, { method: 'PUT', body: CSV, headers: { 'content-type': type } });
      expect(put.status).toBe(200);
      expect((await upload.complete({ file_size_bytes: 8 })).status).toBe(200);
    }
  });
});

async function putStream(url: string, bytes: number, blocks: () => Iterable<Buffer>): Promise<void> {
  const sent = request(url, { method: 'PUT', headers: { 'content-length': bytes } });
  const answered = new Promise<number>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
  });
  await pipeline(Readable.from(blocks()), sent);
  expect(await answered).toBe(200);
}

import { randomUUID } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { describeObjectStore } from '#test/helpers/object-store-contract.ts';

async function createStore(): Promise<ObjectStore> {
  const client = createS3Client(true);
  const bucket = `test-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return createObjectStore(bucket, client);
}

describeObjectStore('the data bucket', createStore);

test.each([
  { header: 'no headers', headers: {}, announced: null },
  { header: 'no headers and of the announced size', headers: {}, announced: 8 },
  {
    header: 'a content type of its own',
    headers: { 'content-type': 'application/octet-stream' },
    announced: null,
  },
])('a presigned upload takes a file sent with $header', async ({ headers, announced }) => {
  const store = await createStore();
  const url = await store.presignPut('uploads/file.csv', 300, announced);

  const { status } = await fetch(url, { method: 'PUT', body: 'a,b\n1,2\n', headers });

  expect(status).toBe(200);
  expect((await store.read('uploads/file.csv'))?.toString()).toBe('a,b\n1,2\n');
});

test('a presigned download answers the file as an attachment of the given name and type', async () => {
  const store = await createStore();
  await store.write('exports/data.csv', 'a\n1\n', 'application/octet-stream');

  const response = await fetch(await store.presignGet('exports/data.csv', 300, 'tickets.csv', 'text/csv'));

  expect(await response.text()).toBe('a\n1\n');
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="tickets.csv"');
});

test('a file of several parts arrives whole and in order', async () => {
  const store = await createStore();
  const folder = await mkdtemp(join(tmpdir(), 'parts-'));
  const bytes = 64 * 1024 * 1024 + 5;
  try {
    const path = join(folder, 'large');
    const file = await open(path, 'w');
    await file.write('start', 0);
    await file.write('END!!', bytes - 5);
    await file.close();
    await store.writeFile('large', path, 'text/plain');
  } finally {
    await rm(folder, { recursive: true });
  }

  expect(await store.head('large')).toMatchObject({ bytes });
  expect((await store.readRange('large', 0, 4)).toString()).toBe('start');
  expect((await store.readRange('large', bytes - 5, bytes)).toString()).toBe('END!!');
});

import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';

const MIB = 1024 * 1024;

const s3 = mockClient(S3Client);
afterAll(() => s3.restore());
const store = createObjectStore('data', new S3Client({ region: 'us-east-1' }));

const named = (name: string): Error => Object.assign(new Error(name), { name });

beforeEach(() => {
  s3.reset();
});

test('an error that is not of a missing object is passed on, never taken for one', async () => {
  s3.on(HeadObjectCommand).rejects(named('Forbidden'));
  s3.on(GetObjectCommand).rejects(named('AccessDenied'));

  await expect(store.head('key')).rejects.toThrow('Forbidden');
  await expect(store.read('key')).rejects.toThrow('AccessDenied');
  await expect(store.readAtMost('key', 10)).rejects.toThrow('AccessDenied');
});

test('reading at most so many bytes is one request, which asks for one byte more', async () => {
  const sent = 'x'.repeat(11);
  s3.on(GetObjectCommand).callsFake(() => ({
    Body: { transformToByteArray: async () => Buffer.from(sent) },
  }));

  expect(await store.readAtMost('key', 10)).toBe('too_large');
  expect(await store.readAtMost('key', 11)).toEqual(Buffer.from(sent));
  expect(s3.calls().map(({ args }) => args[0].input)).toEqual([
    { Bucket: 'data', Key: 'key', Range: 'bytes=0-10' },
    { Bucket: 'data', Key: 'key', Range: 'bytes=0-11' },
  ]);
});

test('reading at most so many bytes of an empty object, which has no range, is nothing', async () => {
  s3.on(GetObjectCommand).rejectsOnce(named('InvalidRange')).rejectsOnce(named('NoSuchKey'));

  expect(await store.readAtMost('empty', 10)).toEqual(Buffer.alloc(0));
  expect(await store.readAtMost('missing', 10)).toBeNull();
});

test('a listing goes on to its last page', async () => {
  s3.on(ListObjectsV2Command, { ContinuationToken: undefined }).resolves({
    Contents: [{ Key: 'p/1' }],
    NextContinuationToken: 'more',
  });
  s3.on(ListObjectsV2Command, { ContinuationToken: 'more' }).resolves({ Contents: [{ Key: 'p/2' }] });

  const keys: string[] = [];
  for await (const key of store.list('p/')) keys.push(key);

  expect(keys).toEqual(['p/1', 'p/2']);
});

test('removing goes by thousands, which is what one request takes', async () => {
  s3.on(DeleteObjectsCommand).resolves({});

  await store.remove(Array.from({ length: 1001 }, (_, index) => `key-${index}`));

  const sizes = s3
    .commandCalls(DeleteObjectsCommand)
    .map((call) => call.args[0].input.Delete?.Objects?.length);
  expect(sizes).toEqual([1000, 1]);
});

test('removing fails where S3 kept an object, which it says in an answer of success', async () => {
  s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'a', Code: 'AccessDenied' }] });

  await expect(store.remove(['a', 'b'])).rejects.toThrow('AccessDenied');
});

describe('copying', () => {
  test('a key is escaped in the source, its slashes are not', async () => {
    s3.on(HeadObjectCommand).resolves({ ContentLength: 10 });
    s3.on(CopyObjectCommand).resolves({});

    await store.copy('uploads/team/a b+c.csv', 'raw/x');

    expect(s3.commandCalls(CopyObjectCommand)[0]?.args[0].input).toEqual({
      Bucket: 'data',
      Key: 'raw/x',
      CopySource: 'data/uploads/team/a%20b%2Bc.csv',
    });
  });

  test('a large object goes in parts that cover each of its bytes once and in order', async () => {
    const bytes = 300 * MIB + 7;
    s3.on(HeadObjectCommand).resolves({ ContentLength: bytes, ContentType: 'text/csv' });
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
    s3.on(UploadPartCopyCommand).callsFake(({ PartNumber }) => ({
      CopyPartResult: { ETag: `etag-${PartNumber}` },
    }));
    s3.on(CompleteMultipartUploadCommand).resolves({});

    await store.copy('from', 'to');

    const ranges = s3
      .commandCalls(UploadPartCopyCommand)
      .map((call) => /bytes=(\d+)-(\d+)/.exec(call.args[0].input.CopySourceRange ?? ''))
      .map((match) => [Number(match?.[1]), Number(match?.[2])] as const)
      .sort(([a], [b]) => a - b);
    expect(ranges[0]?.[0]).toBe(0);
    expect(ranges.at(-1)?.[1]).toBe(bytes - 1);
    for (const [index, [from]] of ranges.entries()) {
      if (index > 0) expect(from).toBe((ranges[index - 1]?.[1] ?? 0) + 1);
    }
    expect(s3.commandCalls(CompleteMultipartUploadCommand)[0]?.args[0].input.MultipartUpload?.Parts).toEqual(
      ranges.map((_, index) => ({ PartNumber: index + 1, ETag: `etag-${index + 1}` })),
    );
    expect(s3.commandCalls(CreateMultipartUploadCommand)[0]?.args[0].input.ContentType).toBe('text/csv');
  });

  test('parts that were begun are given up when one fails, so that none is stored for ever', async () => {
    s3.on(HeadObjectCommand).resolves({ ContentLength: 300 * MIB });
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
    s3.on(UploadPartCopyCommand).rejects(named('SlowDown'));
    s3.on(AbortMultipartUploadCommand).resolves({});

    await expect(store.copy('from', 'to')).rejects.toThrow('SlowDown');

    expect(s3.commandCalls(AbortMultipartUploadCommand)[0]?.args[0].input).toMatchObject({
      Key: 'to',
      UploadId: 'upload',
    });
    expect(s3.commandCalls(CompleteMultipartUploadCommand)).toHaveLength(0);
  });
});

describe('uploading a file', () => {
  const withFile = async (bytes: number, use: (path: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'store-'));
    try {
      const path = join(folder, 'file');
      const file = await open(path, 'w');
      await file.truncate(bytes);
      await file.close();
      await use(path);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('a small one goes in one request', async () => {
    s3.on(PutObjectCommand).resolves({});

    await withFile(10, (path) => store.writeFile('key', path, 'text/csv'));

    expect(s3.commandCalls(PutObjectCommand)[0]?.args[0].input).toMatchObject({
      Key: 'key',
      ContentType: 'text/csv',
      Body: Buffer.alloc(10),
    });
  });

  test('a large one goes in parts, one at a time', async () => {
    let open = 0;
    let openMax = 0;
    const sizes: number[] = [];
    s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
    s3.on(CompleteMultipartUploadCommand).resolves({});
    s3.on(UploadPartCommand).callsFake(async ({ Body }) => {
      open += 1;
      openMax = Math.max(openMax, open);
      sizes.push(Body.length);
      await new Promise(setImmediate);
      open -= 1;
      return { ETag: 'etag' };
    });

    await withFile(65 * MIB, (path) => store.writeFile('key', path, 'text/csv'));

    expect(sizes).toEqual([64 * MIB, MIB]);
    expect(openMax).toBe(1);
  });
});

describe('presigned URLs', () => {
  test('an upload URL signs the host alone, so that any client can use it', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'us-east-1');

    const url = new URL(
      await createObjectStore('data', createS3Client(false)).presignPut('uploads/t/id/file.csv', 3600, null),
    );

    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('3600');
    expect([...url.searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
    expect(url.pathname).toBe('/uploads/t/id/file.csv');
    vi.unstubAllEnvs();
  });

  test('an upload URL signs the size that was announced, so that it takes no other', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'us-east-1');
    const store = createObjectStore('data', createS3Client(false));
    const signed = async (bytes: number): Promise<URL> =>
      new URL(await store.presignPut('uploads/t/id/file.csv', 3600, bytes));

    const [small, large] = [await signed(10), await signed(11)];

    expect(small.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
    expect(small.searchParams.get('X-Amz-Signature')).not.toBe(large.searchParams.get('X-Amz-Signature'));
    expect((await signed(0)).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
    vi.unstubAllEnvs();
  });
});

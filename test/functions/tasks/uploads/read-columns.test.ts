import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/tasks/uploads/read-columns.ts';
import { createReadColumns } from '#shared/ingest/read-columns.ts';
import type { ReadColumnsReply } from '#shared/ingest/schema/read-columns.ts';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';
import { context } from '#test/helpers/call.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';

let objects: MemoryObjects;

beforeEach(() => {
  objects = createMemoryObjects();
});

/** Asks for the columns of files, by their texts; each goes by the name under which it is given. */
async function ask(files: Readonly<Record<string, string>>, named = true): Promise<ReadColumnsReply> {
  const asked = [];
  for (const [name, text] of Object.entries(files)) {
    const key = `uploads/team/${name}`;
    await objects.write(key, text, 'x');
    const format = name.slice(name.lastIndexOf('.') + 1) as TabularFormat;
    asked.push({ key, name: named ? name : null, format, bytes: Buffer.byteLength(text) });
  }
  const own = { readColumns: createReadColumns({ objects, readColumns }) };
  return (await handler.with(own)({ files: asked }, context())) as ReadColumnsReply;
}

test('the function that reads columns answers those of one file', async () => {
  expect(await ask({ 'a.csv': 'q,a\n1,2\n' })).toEqual({ columns: ['q', 'a'], other: null });
});

test('the function that reads columns answers those of the first file, and of the next one that has others, in whatever order they stand', async () => {
  const files = {
    'a.csv': 'q,a\n1,2\n',
    'b.jsonl': '{"a":1,"q":2}\n',
    'c.json': '[{"q":1,"b":2}]',
    'd.csv': 'z\n1\n',
  };

  expect(await ask(files)).toEqual({ columns: ['q', 'a'], other: { index: 2, columns: ['q', 'b'] } });
});

test.each([
  ['an empty file', { 'a.csv': 'q\n1\n', 'b.csv': '' }, 'file_empty', /^"b\.csv": The file is empty/],
  [
    'a file of another kind',
    { 'a.csv': 'q\n1\n', 'b.parquet': 'PAR1....' },
    'file_unreadable',
    /^"b\.parquet": /,
  ],
])(
  'the function that reads columns refuses %s as data, with the code and the name',
  async (_, files, code, message) => {
    const refusal = { code, message: expect.stringMatching(message), details: [] };

    expect(await ask(files)).toEqual({ refusal });
  },
);

test('the function that reads columns names no file where it is the only one that the caller means', async () => {
  expect(await ask({ 'a.csv': '' }, false)).toMatchObject({
    refusal: { code: 'file_empty', message: expect.stringMatching(/^The file is empty/) },
  });
});

test('the function that reads columns reads names of as many columns and bytes as there may be', async () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `${n}${'"'.repeat(90)}`);
  const header = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',');

  expect(await ask({ 'a.csv': `${header}\n1\n` })).toEqual({ columns: names, other: null });
});

test.each([
  ['names that go on', '""'.repeat(4 * 1024 * 1024), 4 * 1024, 'does not end within the first 4 MiB'],
  ['columns that go on', 'a,'.repeat(4 * 1024 * 1024), 512, 'at most 10000 can be read'],
])(
  'the function that reads columns refuses a header of %s by its beginning',
  async (_, text, kibibytes, message) => {
    let bytesRead = 0;
    const readRange = async (from: number, to: number): Promise<Buffer> => {
      bytesRead = Math.max(bytesRead, to + 1);
      return Buffer.from(text.slice(from, to + 1));
    };

    await expect(readColumns('csv', text.length, readRange)).rejects.toThrow(message);
    expect(bytesRead).toBeLessThanOrEqual(kibibytes * 1024);
  },
);

test('the function that reads columns refuses names of columns that an answer cannot hold', async () => {
  const wide = async () => ['x'.repeat(2 * 1024 * 1024)];
  const read = createReadColumns({ objects, readColumns: wide });
  const file = { key: 'uploads/a', name: 'a.csv', format: 'csv', bytes: 1 } as const;

  await expect(read([file])).rejects.toMatchObject({
    code: 'file_unreadable',
    message: expect.stringMatching(/^"a\.csv": The names of the file's columns take more than 2 MiB/),
  });
});

test('the function that reads columns fails where the bucket does, which is no word on the file', async () => {
  const outage = new Error('the bucket is away');
  const own = { readColumns: () => Promise.reject(outage) };
  const file = { key: 'uploads/a', name: null, format: 'csv', bytes: 1 };

  await expect(handler.with(own)({ files: [file] }, context())).rejects.toThrow(outage.message);
});

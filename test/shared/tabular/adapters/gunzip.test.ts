import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';
import { ingest, stream } from './harness.ts';

const ROWS = Array.from({ length: 5000 }, (_, n) => ({
  q: `question ${n} ${Math.sin(n)}`,
  a: `answer ${n}`,
}));
const FILES = {
  csv: `q,a\n${ROWS.map(({ q, a }) => `${q},${a}\n`).join('')}`,
  json: JSON.stringify(ROWS),
  jsonl: ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
} as const;

it.each(Object.entries(FILES) as ['csv' | 'json' | 'jsonl', string][])(
  'a file that is compressed with gzip is read as the file inside: %s',
  async (format, text) => {
    const file = gzipSync(text);

    const pieces = [file.subarray(0, 1), file.subarray(1, 2), file.subarray(2)];
    expect(await ingest(format, stream(...pieces))).toEqual(await ingest(format, stream(Buffer.from(text))));
    const read = async (from: number, to: number) => file.subarray(from, to + 1);
    expect(await readColumns(format, file.length, read)).toEqual(['q', 'a']);
  },
);

it('a file that is compressed in several members is read whole', async () => {
  const members = [gzipSync('{"q":1}\n'), gzipSync('{"q":2}\n')];

  expect((await ingest('jsonl', stream(...members))).manifest.row_count).toBe(2);
});

it('a small compressed file tells the columns of all its rows, however long it is inside', async () => {
  const file = gzipSync(`${'{"q":"the same"}\n'.repeat(20_000)}{"q":"x","late":1}\n`);

  expect(await readColumns('jsonl', file.length, async (from, to) => file.subarray(from, to + 1))).toEqual([
    'q',
    'late',
  ]);
});

it('a header that goes on for more than 4 MiB in a small compressed file is refused, and the rest is not decompressed', async () => {
  const file = gzipSync(`a,"${'b'.repeat(200_000)}`);
  const inside = Buffer.alloc(40 * 1024 * 1024, 'b');
  for (let at = 0; at < inside.length; at += 18_000) inside.write(hash('sha512', String(at)), at);
  const long = gzipSync(inside);
  const columnsOf = (each: Buffer): Promise<string[]> =>
    readColumns('csv', each.length, async (from, to) => each.subarray(from, to + 1));

  await expect(columnsOf(file)).rejects.toThrow('a quote that is never closed');
  await expect(columnsOf(long)).rejects.toThrow('does not end within the first 4 MiB');
});

it('a header is read whole, however long it is, and whether or not it is compressed', async () => {
  const names = Array.from({ length: 3000 }, (_, n) => `column_${n}_${'x'.repeat(60)}`);
  const text = `${names.join(',')}\n${'v,'.repeat(2999)}v\n`;

  for (const file of [Buffer.from(text), gzipSync(text, { level: 0 })]) {
    expect(await readColumns('csv', file.length, async (from, to) => file.subarray(from, to + 1))).toEqual(
      names,
    );
  }
  const open = Buffer.from(`a,"${'b'.repeat(200_000)}`);
  await expect(
    readColumns('csv', open.length, async (from, to) => open.subarray(from, to + 1)),
  ).rejects.toThrow('a quote that is never closed');
});

it.each([
  ['cut off', gzipSync(FILES.csv).subarray(0, 2000)],
  ['damaged', Buffer.concat([gzipSync(FILES.csv).subarray(0, 100), Buffer.alloc(200, 7)])],
])('a compressed file that is %s is refused', async (_, file) => {
  await expect(ingest('csv', stream(file))).rejects.toMatchObject({
    code: 'file_unreadable',
    message: expect.stringContaining('damaged or cut off'),
  });
});

it('a compressed file that expands as no text does is refused', async () => {
  await expect(ingest('csv', stream(gzipSync(Buffer.alloc(32 * 1024 * 1024, 'a'))))).rejects.toMatchObject({
    code: 'file_unreadable',
    message: expect.stringContaining('expands as no text does'),
  });
});

it('a small compressed file with millions of rows of nothing is refused before many chunks are written', async () => {
  const file = gzipSync(`a\n${'1\n'.repeat(2_000_000)}`);

  await expect(ingest('csv', stream(file))).rejects.toMatchObject({ code: 'file_unreadable' });
});

it.each([
  ['of lists', (n: number) => `{"q":[${'1,'.repeat(n)}1],"a":[${'2,'.repeat(n)}2]}`],
  [
    'of numbered rows',
    (n: number) => `{${Array.from({ length: n / 30 }, (_, row) => `"${row}":{"q":1,"a":2}`).join(',')}}`,
  ],
  ['split', (n: number) => `{"columns":["q","a"],"data":[${'[1,2],'.repeat(n)}[1,2]]}`],
  [
    'of the server of datasets',
    (n: number) =>
      `{"features":[{"feature_idx":0}],"rows":[${'{"row":{"q":1,"a":2}},'.repeat(n)}{"row":{"q":1}}]}`,
  ],
] as const)(
  'a table %s in a small compressed file tells its columns without its rows',
  async (_what, textOf) => {
    const file = gzipSync(textOf(150_000));
    const before = process.cpuUsage();

    const columns = await readColumns('json', file.length, async (from, to) => file.subarray(from, to + 1));

    expect(columns).toEqual(['q', 'a']);
    // Putting the rows together takes several times as long.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500);
  },
);

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { exportShards } from '#shared/tabular/adapters/export-rows.ts';
import { query } from './harness.ts';

const columns = [
  { name: 'n', type: 'BIGINT', source: 'n' },
  { name: 'text', type: 'VARCHAR', source: 'text' },
];

async function* rowsOf(count: number, text = 'x'.repeat(1000)) {
  for (let n = 0; n < count; n += 1) yield Buffer.from(`${JSON.stringify({ n, text })}\n`);
}

const shards = <T>(count: number, use: (paths: readonly string[]) => Promise<T>, textBytes?: number) =>
  exportShards({ columns, source: rowsOf(count), withoutResult: 'keep' }, use, textBytes);

it('Parquet shards have all rows once, in their order, a shard after the other', async () => {
  // What is written is looked at whenever a block of the writer is full.
  const numbers = await shards(
    10_000,
    async (paths) => {
      expect(paths.length).toBeGreaterThan(2);
      const found: unknown[] = [];
      for (const path of paths) {
        const rows = await query(`SELECT n FROM read_parquet('${path}')`);
        expect(rows.length).toBeGreaterThan(0);
        found.push(...rows.map(({ n }) => Number(n)));
      }
      return found;
    },
    3_000_000,
  );

  expect(numbers).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
});

it('Parquet shards are the same bytes for the same rows', async () => {
  const read = () => shards(5000, (paths) => Promise.all(paths.map((path) => readFile(path))), 2_000_000);
  const [first, second] = [await read(), await read()];

  expect(first.length).toBeGreaterThan(1);
  expect(first.map((bytes, n) => second[n]?.equals(bytes))).toEqual(first.map(() => true));
});

it('Parquet shards are one for few rows, and for none', async () => {
  expect(await shards(3, async (paths) => paths.length)).toBe(1);
  const rows = await shards(0, ([path = '']) =>
    query(`SELECT count(*) AS rows FROM read_parquet('${path}')`),
  );
  expect(Number(rows[0]?.rows)).toBe(0);
});

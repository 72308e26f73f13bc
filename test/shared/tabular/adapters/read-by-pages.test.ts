import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readByPages } from '#shared/tabular/adapters/read-by-pages.ts';
import { query } from './harness.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pages-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function write(sql: string): Promise<string> {
  const path = join(directory, 'file.parquet');
  await query(`COPY (${sql}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  return path;
}

test('lists keep their whole numbers', async () => {
  const path = await write('SELECT [1::BIGINT, 9007199254740993::BIGINT, NULL] AS xs');
  const lines: string[] = [];
  for await (const line of readByPages(directory, path, [{ name: 'xs', cell: { kind: 'value' } }])) {
    lines.push(line.toString());
  }

  expect(lines).toEqual(['{"xs":[1,9007199254740993,null]}']);
});

test('a file of few bytes fills no disk', async () => {
  const path = await write("SELECT repeat('x', 10000) AS t FROM range(200000)");
  const read = async (): Promise<void> => {
    for await (const _ of readByPages(directory, path, [{ name: 't', cell: { kind: 'value' } }])) {
      // Until it is refused.
    }
  };

  await expect(read()).rejects.toThrow();
  expect((await stat(join(directory, 'rows.jsonl'))).size).toBeLessThan(64 * 2 ** 20);
});

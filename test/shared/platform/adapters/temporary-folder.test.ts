import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';

async function leave(owner: string): Promise<string> {
  const folder = join(tmpdir(), `tunesmith-${owner}-left`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'rows'), 'rows');
  return folder;
}

test('a folder is there while it is used, also beside another one, and gone afterwards', async () => {
  const folders = await withTemporaryFolder((outer) =>
    withTemporaryFolder(async (inner) => {
      expect([outer, inner].map((folder) => existsSync(folder))).toEqual([true, true]);
      return [outer, inner];
    }),
  );

  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
  await expect(withTemporaryFolder(() => Promise.reject(new Error('spoiled')))).rejects.toThrow('spoiled');
});

test('folders of killed processes are deleted before the next is made, and no others', async () => {
  const { pid: killed } = spawnSync(process.execPath, ['--version']);
  const left = [await leave(`${killed}-0`), await leave(`${process.pid}-${threadId}`)];
  const others = [await leave(`${process.ppid}-0`), await leave(`${process.pid}-${threadId + 1}`)];
  const foreign = join(tmpdir(), `another-${killed}-0-left`);
  await mkdir(foreign, { recursive: true });
  try {
    await withTemporaryFolder(async () => {
      expect(left.map((folder) => existsSync(folder))).toEqual([false, false]);
      expect([...others, foreign].map((folder) => existsSync(folder))).toEqual([true, true, true]);
    });
  } finally {
    for (const folder of [...others, foreign]) await rm(folder, { recursive: true });
  }
});

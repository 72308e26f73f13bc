import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adapterPath, findAdapter, listAdapters, trainedModelId } from '#local/model/adapter-files.ts';

let directory: string;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'tunesmith-adapters-')), 'adapters');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

function put(path: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'adapter');
}

it('the folder of adapters finds an adapter as soon as it is there', async () => {
  const id = trainedModelId('base-1.5b', 'run_1');
  expect(await findAdapter(directory, id)).toBeUndefined();

  put(adapterPath(directory, 'base-1.5b', 'run_1'));

  expect(await findAdapter(directory, id)).toMatchObject({
    id: 'base-1.5b:run_1',
    baseId: 'base-1.5b',
    path: join(directory, 'base-1.5b', 'run_1.gguf'),
  });
});

it.each([
  'base:../base/other',
  'base:..',
  '..:secret',
  '../adapters/base:other',
  'base:/etc/passwd',
  'base:other:other',
  'base:.other',
  'base:other\0',
  'base:',
  ':other',
  'base',
])('the folder of adapters takes no other place in the file system from an id (%j)', async (id) => {
  put(join(directory, 'base', 'other.gguf'));
  put(join(directory, '..', 'secret.gguf'));
  put(join(directory, 'base', '.other.gguf'));

  expect(await findAdapter(directory, id)).toBeUndefined();
});

it('the folder of adapters makes no path of a name that would lead elsewhere', () => {
  expect(() => adapterPath(directory, 'base', '../other')).toThrow(/no name for an adapter/);
});

it('the folder of adapters lists the adapters of all bases, and nothing that is none', async () => {
  expect(await listAdapters(directory)).toEqual([]);
  put(join(directory, 'one', 'b.gguf'));
  put(join(directory, 'one', 'a.gguf'));
  put(join(directory, 'one', 'c.gguf.partial'));
  put(join(directory, 'two', 'a.gguf'));
  put(join(directory, 'loose.gguf'));
  mkdirSync(join(directory, 'two', 'folder.gguf'));

  const ids = (await listAdapters(directory)).map(({ id }) => id);

  expect(ids).toEqual(['one:a', 'one:b', 'two:a']);
});

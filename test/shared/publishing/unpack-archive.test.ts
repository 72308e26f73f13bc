import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { unpackArchive } from '#shared/publishing/adapters/unpack-archive.ts';
import { MODEL_BYTES_MAX, requireModel } from '#shared/publishing/decide/model-files.ts';
import { packFiles, withReport } from '#test/helpers/published-model.ts';

const unpack = <T>(bytesMax: number, use: Parameters<typeof unpackArchive<T>>[2]) =>
  unpackArchive(
    Readable.from([withReport(packFiles({ 'a.json': 'first', 'b.json': 'second', 'c.json': 'third' }))]),
    { isWanted: (name) => name !== 'c.json' && name !== 'run_report.json', bytesMax },
    use,
  );

test('wanted files are there while they are used, and gone afterwards', async () => {
  const paths = await unpack(100, async (files) => {
    expect(files.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['a.json', 5],
      ['b.json', 6],
    ]);
    expect(await readFile(files[1]?.localPath ?? '', 'utf8')).toBe('second');
    return files.map(({ localPath }) => localPath);
  });

  expect(paths.map((path) => existsSync(path))).toEqual([false, false]);
});

test('files without room are listed and not written', async () => {
  await unpack(8, async (files) => {
    expect(files.map(({ name, localPath }) => [name, existsSync(localPath)])).toEqual([
      ['a.json', true],
      ['b.json', false],
    ]);
  });
});

test('a model that is larger than a function’s disk is refused, with what to do', () => {
  const files = [
    { name: 'config.json', bytes: 1 },
    { name: 'model.safetensors', bytes: MODEL_BYTES_MAX },
  ];

  expect(() => requireModel(files)).toThrow(/Download it and upload it yourself/);
  expect(requireModel([{ name: 'config.json', bytes: 0 }, ...files.slice(1)])).toBe('checkpoint');
});

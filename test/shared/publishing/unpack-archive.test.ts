import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
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

/** A header of an archive, whose size is written as a number of 256 to the power of its bytes. */
function headerOf(name: string, size: bigint): Buffer {
  const header = Buffer.from(packHeader(name));
  header.writeBigInt64BE(size, 128);
  header[124] = size < 0n ? 0xff : 0x80;
  header.fill(size < 0n ? 0xff : 0, 125, 128);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const packHeader = (name: string): Buffer => {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  return header;
};

const unpackBytes = (tar: Buffer) =>
  unpackArchive(
    Readable.from([gzipSync(tar)]),
    { isWanted: () => true, bytesMax: 1000 },
    async (files) => files,
  );

test.each([-100n, -512n, -5000n])('an archive with a file of %d bytes is refused', async (size) => {
  const tar = Buffer.concat([headerOf('a.json', size), Buffer.alloc(2048)]);

  await expect(unpackBytes(tar)).rejects.toThrow();
});

test('an archive of very many files is refused', async () => {
  const files = Array.from({ length: 501 }, (_, n) => headerOf(`${n}.json`, 0n));

  await expect(unpackBytes(Buffer.concat([...files, Buffer.alloc(1024)]))).rejects.toThrow('too many files');
});

import { beforeEach, expect, test } from 'vitest';
import { ObjectWriter } from '#shared/exports/write-object.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';

const MEBIBYTE = 1024 * 1024;

let objects: MemoryObjects;
let abandoned: string[];
let parts: number[];

beforeEach(() => {
  abandoned = [];
  parts = [];
  const memory = createMemoryObjects();
  objects = {
    ...memory,
    writePart: (key, id, number, body) => {
      parts.push(body.length);
      return memory.writePart(key, id, number, body);
    },
    abandonParts: (key, id) => {
      abandoned.push(id);
      return memory.abandonParts(key, id);
    },
  };
});

const piece = (n: number): Buffer => Buffer.alloc(MEBIBYTE * 3, n);

async function written(pieces: number): Promise<ObjectWriter> {
  const writer = new ObjectWriter(objects, 'a key', 'application/octet-stream');
  for (let n = 0; n < pieces; n += 1) await writer.write(piece(n));
  return writer;
}

test.each([0, 1, 2, 3, 6, 7])(
  'an object that is written piece by piece has %i pieces in their order',
  async (pieces) => {
    const writer = await written(pieces);
    await writer.end();
    await writer.abandon();

    const expected = Buffer.concat(Array.from({ length: pieces }, (_, n) => piece(n)));
    expect((await objects.read('a key'))?.equals(expected)).toBe(true);
    expect(abandoned).toEqual([]);
  },
);

test('an object that is written piece by piece has no part below five megabytes but the last, and none where it is small', async () => {
  await (await written(7)).end();
  expect(parts.slice(0, -1).every((bytes) => bytes >= 5 * MEBIBYTE)).toBe(true);
  expect(parts.length).toBeGreaterThan(1);

  parts = [];
  await (await written(2)).end();
  expect(parts).toEqual([]);
});

test('an object that is written piece by piece leaves no parts when it is given up', async () => {
  await (await written(4)).abandon();
  await (await written(1)).abandon();

  expect(abandoned).toHaveLength(1);
  expect(await objects.read('a key')).toBeNull();
});

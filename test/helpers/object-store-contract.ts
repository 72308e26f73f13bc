import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

async function keysBelow(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}

/** What every implementation of the data bucket does. */
export function describeObjectStore(name: string, create: () => ObjectStore | Promise<ObjectStore>): void {
  describe(name, () => {
    let store: ObjectStore;
    beforeAll(async () => {
      store = await create();
    });

    test('writes an object that is to be new once, whoever comes first', async () => {
      const writes = await Promise.all(
        ['one', 'two', 'three'].map(async (body) =>
          (await store.writeNew('a/new', body, 'text/plain')) ? body : null,
        ),
      );
      const written = writes.filter((body) => body !== null);

      expect(written).toHaveLength(1);
      expect((await store.read('a/new'))?.toString()).toBe(written[0]);
      expect(await store.writeNew('a/new', 'four', 'text/plain')).toBe(false);
      expect((await store.read('a/new'))?.toString()).toBe(written[0]);
    });

    test('answers an object byte for byte, with its size and type', async () => {
      const body = Buffer.from([0, 255, 10, 13, 0xc3, 0xa9]);

      await store.write('a/bytes.bin', body, 'application/octet-stream');

      expect(await store.read('a/bytes.bin')).toEqual(body);
      expect(await store.head('a/bytes.bin')).toMatchObject({
        bytes: 6,
        contentType: 'application/octet-stream',
        etag: expect.stringMatching(/./),
        modifiedMs: expect.toSatisfy((at: number) => Math.abs(at - Date.now()) < 60_000),
      });
      expect(await buffer(await store.stream('a/bytes.bin'))).toEqual(body);
    });

    test('says null of an object that is not there, when asked for its head or its bytes', async () => {
      expect(await store.head('a/nothing')).toBeNull();
      expect(await store.read('a/nothing')).toBeNull();
    });

    test('throws where an object that is not there is streamed or copied', async () => {
      await expect(store.stream('a/nothing')).rejects.toThrow();
      await expect(store.copy('a/nothing', 'a/copy')).rejects.toThrow();
    });

    test('keeps an empty object, which is not a missing one', async () => {
      await store.write('a/empty', '', 'text/plain');

      expect(await store.read('a/empty')).toEqual(Buffer.alloc(0));
      expect(await store.head('a/empty')).toMatchObject({ bytes: 0 });
    });

    test('answers a range with both of its ends, clipped to the object', async () => {
      await store.write('a/range', '0123456789', 'text/plain');

      expect((await store.readRange('a/range', 2, 4)).toString()).toBe('234');
      expect((await store.readRange('a/range', 8, 99)).toString()).toBe('89');
    });

    test('answers an object that has no more bytes than are wanted, and says of another that it is too large', async () => {
      await store.write('a/most', '0123456789', 'text/plain');
      await store.write('a/most-empty', '', 'text/plain');

      expect(await store.readAtMost('a/most', 10)).toEqual(Buffer.from('0123456789'));
      expect(await store.readAtMost('a/most', 1000)).toEqual(Buffer.from('0123456789'));
      expect(await store.readAtMost('a/most', 9)).toBe('too_large');
      expect(await store.readAtMost('a/most-empty', 10)).toEqual(Buffer.alloc(0));
      expect(await store.readAtMost('a/nothing', 10)).toBeNull();
    });

    test('replaces an object that is written again', async () => {
      await store.write('a/again', 'first', 'text/plain');
      await store.write('a/again', 'second', 'text/plain');

      expect((await store.read('a/again'))?.toString()).toBe('second');
    });

    test('copies an object whose key needs escaping, and leaves it where it was', async () => {
      await store.write('a/weird +&ü name', 'content', 'text/csv');

      await store.copy('a/weird +&ü name', 'b/copied');

      expect((await store.read('b/copied'))?.toString()).toBe('content');
      expect((await store.head('b/copied'))?.contentType).toBe('text/csv');
      expect(await store.head('a/weird +&ü name')).not.toBeNull();
    });

    test('uploads a file from disk', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'objects-'));
      try {
        await writeFile(join(folder, 'rows.csv'), 'a,b\n1,2\n');
        await store.writeFile('a/file.csv', join(folder, 'rows.csv'), 'text/csv');
      } finally {
        await rm(folder, { recursive: true });
      }

      expect((await store.read('a/file.csv'))?.toString()).toBe('a,b\n1,2\n');
    });

    test('makes an object of parts, of which a repeated one replaces the first', async () => {
      const first = Buffer.alloc(5 * 1024 * 1024, 'a');

      const uploadId = await store.beginParts('p/parts', 'text/csv');
      await store.writePart('p/parts', uploadId, 1, Buffer.alloc(first.length, 'x'));
      const etags = [
        await store.writePart('p/parts', uploadId, 1, first),
        await store.writePart('p/parts', uploadId, 2, Buffer.from('end')),
      ];
      expect(await store.head('p/parts')).toBeNull();
      await store.finishParts('p/parts', uploadId, etags);

      expect(await store.head('p/parts')).toMatchObject({ bytes: first.length + 3, contentType: 'text/csv' });
      expect((await store.readRange('p/parts', first.length - 1, first.length + 2)).toString()).toBe('aend');
    });

    test('knows nothing of an upload that was abandoned', async () => {
      const uploadId = await store.beginParts('p/gone', 'text/csv');
      await store.abandonParts('p/gone', uploadId);

      await expect(store.writePart('p/gone', uploadId, 1, Buffer.from('x'))).rejects.toMatchObject({
        name: 'NoSuchUpload',
      });
    });

    test('lists the keys below a prefix in order, and no others', async () => {
      for (const key of ['l/2', 'l/10', 'l/1/x', 'm/1']) await store.write(key, key, 'text/plain');

      expect(await keysBelow(store, 'l/')).toEqual(['l/1/x', 'l/10', 'l/2']);
      expect(await keysBelow(store, 'none/')).toEqual([]);
    });

    test('removes what it is told to, also what is gone already', async () => {
      await store.write('r/1', '1', 'text/plain');
      await store.write('r/2', '2', 'text/plain');

      await store.remove(['r/1', 'r/never']);
      await store.remove([]);

      expect(await keysBelow(store, 'r/')).toEqual(['r/2']);
    });
  });
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

interface StoredObject {
  readonly body: Buffer;
  readonly contentType: string | null;
  readonly modifiedMs: number;
}

/** The data bucket in memory. It passes the same tests as the adapter of S3. */
export interface MemoryObjects extends ObjectStore {
  readonly stored: ReadonlyMap<string, StoredObject>;
  /** The object as text. */
  text(key: string): string;
  /** Keys in order. */
  keys(): string[];
}

function keyNotFound(key: string): Error {
  return Object.assign(new Error(`The object ${key} does not exist.`), { name: 'NoSuchKey' });
}

const signedUrl = (key: string, query: Record<string, string>): string =>
  `https://objects.test/${key.split('/').map(encodeURIComponent).join('/')}?${new URLSearchParams(query)}`;

export function createMemoryObjects(): MemoryObjects {
  const stored = new Map<string, StoredObject>();
  const uploads = new Map<string, { contentType: string; parts: Map<number, Buffer> }>();
  let uploadsBegun = 0;
  const requireUpload = (uploadId: string) => {
    const upload = uploads.get(uploadId);
    if (upload === undefined) {
      throw Object.assign(new Error('The upload does not exist.'), { name: 'NoSuchUpload' });
    }
    return upload;
  };
  const require = (key: string): StoredObject => {
    const object = stored.get(key);
    if (object === undefined) throw keyNotFound(key);
    return object;
  };
  const put = (key: string, body: Buffer | string, contentType: string | null): void => {
    stored.set(key, { body: Buffer.from(body), contentType, modifiedMs: Date.now() });
  };
  const keys = (): string[] => [...stored.keys()].sort();
  return {
    stored,
    keys,
    text: (key) => require(key).body.toString('utf8'),
    head: async (key) => {
      const object = stored.get(key);
      if (object === undefined) return null;
      const etag = `"${createHash('md5').update(object.body).digest('hex')}"`;
      const { body, contentType, modifiedMs } = object;
      return { bytes: body.length, contentType, etag, modifiedMs };
    },
    read: async (key) => {
      const object = stored.get(key);
      return object === undefined ? null : Buffer.from(object.body);
    },
    readAtMost: async (key, bytesMax) => {
      const object = stored.get(key);
      if (object === undefined) return null;
      return object.body.length > bytesMax ? 'too_large' : Buffer.from(object.body);
    },
    readRange: async (key, from, to) => Buffer.from(require(key).body.subarray(from, to + 1)),
    stream: async (key) => Readable.from([Buffer.from(require(key).body)]),
    write: async (key, body, contentType) => put(key, body, contentType),
    writeNew: async (key, body, contentType) => {
      if (stored.has(key)) return false;
      put(key, body, contentType);
      return true;
    },
    writeFile: async (key, path, contentType) => put(key, await readFile(path), contentType),
    beginParts: async (_key, contentType) => {
      const uploadId = `upload-${++uploadsBegun}`;
      uploads.set(uploadId, { contentType, parts: new Map() });
      return uploadId;
    },
    writePart: async (_key, uploadId, number, body) => {
      requireUpload(uploadId).parts.set(number, Buffer.from(body));
      return `"${createHash('md5').update(body).digest('hex')}"`;
    },
    finishParts: async (key, uploadId, etags) => {
      const { parts, contentType } = requireUpload(uploadId);
      put(key, Buffer.concat(etags.map((_, index) => parts.get(index + 1) ?? Buffer.alloc(0))), contentType);
      uploads.delete(uploadId);
    },
    abandonParts: async (_key, uploadId) => {
      requireUpload(uploadId);
      uploads.delete(uploadId);
    },
    copy: async (from, to) => {
      const { body, contentType } = require(from);
      put(to, body, contentType);
    },
    remove: async (removed) => {
      for (const key of removed) stored.delete(key);
    },
    async *list(prefix) {
      yield* keys().filter((key) => key.startsWith(prefix));
    },
    async *listSizes(prefix) {
      for (const key of keys()) {
        const { body, modifiedMs } = require(key);
        if (key.startsWith(prefix)) yield { key, bytes: body.length, modifiedMs };
      }
    },
    presignPut: async (key, expiresSeconds, bytes) =>
      signedUrl(key, {
        expires: String(expiresSeconds),
        ...(bytes === null ? {} : { bytes: String(bytes) }),
      }),
    presignGet: async (key, expiresSeconds, fileName, contentType) =>
      signedUrl(key, { expires: String(expiresSeconds), file: fileName, type: contentType }),
  };
}

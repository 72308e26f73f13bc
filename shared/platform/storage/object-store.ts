import type { Readable } from 'node:stream';

export interface ObjectInfo {
  readonly bytes: number;
  readonly contentType: string | null;
  readonly etag: string;
  /** Last modification in milliseconds since the epoch, to the second. */
  readonly modifiedMs: number;
}

/** An object in a listing. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** Last modification in milliseconds since the epoch. */
  readonly modifiedMs: number;
}

/** The operations of the data bucket that the service needs. Keys come from `object-keys.ts`. */
export interface ObjectStore {
  /** Null if there is no such object. */
  head(key: string): Promise<ObjectInfo | null>;
  /** Null if there is no such object. */
  read(key: string): Promise<Buffer | null>;
  /**
   * Null if there is no such object, `too_large` if it has more than `bytesMax` bytes. One request, so that an object that
   * is replaced meanwhile is read whole, the old or the new; not more than a byte beyond `bytesMax` is received.
   */
  readAtMost(key: string, bytesMax: number): Promise<Buffer | 'too_large' | null>;
  /** Bytes `from` to `to`, both inclusive, clipped to the object. */
  readRange(key: string, from: number, to: number): Promise<Buffer>;
  /** @throws if there is no such object */
  stream(key: string): Promise<Readable>;
  write(key: string, body: Buffer | string, contentType: string): Promise<void>;
  /** Writes an object that does not exist yet; returns false, and writes nothing, if it does. Of several at once, one writes. */
  writeNew(key: string, body: Buffer | string, contentType: string): Promise<boolean>;
  /** Uploads a local file of any size, in parts if it is large. */
  writeFile(key: string, path: string, contentType: string): Promise<void>;
  /** Starts a multipart upload; returns its id. */
  beginParts(key: string, contentType: string): Promise<string>;
  /** Uploads part `number` (from 1); a repetition replaces it. Each part except the last is at least 5 MiB. */
  writePart(key: string, uploadId: string, number: number, body: Buffer): Promise<string>;
  /** Completes a multipart upload from the parts with these ETags. */
  finishParts(key: string, uploadId: string, etags: readonly string[]): Promise<void>;
  /** Aborts an unfinished multipart upload; one that is gone stays so. */
  abandonParts(key: string, uploadId: string): Promise<void>;
  /** Copies within the bucket, in parts if the object is large. */
  copy(from: string, to: string): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Keys below a prefix, in order. */
  list(prefix: string): AsyncIterable<string>;
  /** The objects below a prefix, in the order of their keys. */
  listSizes(prefix: string): AsyncIterable<ListedObject>;
  /**
   * A URL for a PUT of the file, of exactly `bytes` bytes if given. Otherwise only the host is signed, so that a client
   * may send any header or none.
   */
  presignPut(key: string, expiresSeconds: number, bytes: number | null): Promise<string>;
  /** A URL for a GET of the file; browsers save it as `fileName`. */
  presignGet(key: string, expiresSeconds: number, fileName: string, contentType: string): Promise<string>;
}

import type { Readable } from 'node:stream';

export interface ObjectInfo {
  readonly bytes: number;
  readonly contentType: string | null;
  readonly etag: string;
  /** When it was written, in milliseconds since the epoch, to the second. */
  readonly modifiedMs: number;
}

/** The data bucket, as much of it as the service asks for. Keys come from `object-keys.ts`. */
export interface ObjectStore {
  /** Null where there is no such object. */
  head(key: string): Promise<ObjectInfo | null>;
  /** Null where there is no such object. */
  read(key: string): Promise<Buffer | null>;
  /** Bytes `from` to `to`, both inclusive, clipped to the object. */
  readRange(key: string, from: number, to: number): Promise<Buffer>;
  /** @throws where there is no such object */
  stream(key: string): Promise<Readable>;
  write(key: string, body: Buffer | string, contentType: string): Promise<void>;
  /** Uploads a local file of any size, in parts where it is large. */
  writeFile(key: string, path: string, contentType: string): Promise<void>;
  /** Begins an object that comes part by part; answers the id of the upload. */
  beginParts(key: string, contentType: string): Promise<string>;
  /** Keeps part `number` (from 1) of an upload, which a repetition replaces. Each but the last is 5 MiB at least. */
  writePart(key: string, uploadId: string, number: number, body: Buffer): Promise<string>;
  /** Makes the object of the parts with these etags. */
  finishParts(key: string, uploadId: string, etags: readonly string[]): Promise<void>;
  /** Forgets an upload that is not finished. */
  abandonParts(key: string, uploadId: string): Promise<void>;
  /** Copies within the bucket, in parts where the object is large. */
  copy(from: string, to: string): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Keys below a prefix, in order. */
  list(prefix: string): AsyncIterable<string>;
  /** A URL that takes the file by PUT. Only the host is signed, so that a client may send any header or none. */
  presignPut(key: string, expiresSeconds: number): Promise<string>;
  /** A URL that answers the file; `fileName` is what a browser saves it as. */
  presignGet(key: string, expiresSeconds: number, fileName: string, contentType: string): Promise<string>;
}

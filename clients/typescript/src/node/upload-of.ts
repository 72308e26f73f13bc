import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableFile, UploadFile } from '../upload.ts';

/**
 * A file of the disk as `upload` takes it, read piece by piece and never whole into memory.
 * @throws if it cannot be read
 */
export async function uploadOf(path: string, signal?: AbortSignal): Promise<UploadFile & { sha256: string }> {
  const { size } = await stat(path);
  const data: ReadableFile = {
    size,
    stream: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
  };
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, signal === undefined ? {} : { signal }))
    hash.update(chunk);
  return { name: basename(path), data, sha256: hash.digest('hex') };
}

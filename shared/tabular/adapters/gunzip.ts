import { constants, createGunzip } from 'node:zlib';
import { fileUnreadable } from '../decide/file-error.ts';

const GZIP = [0x1f, 0x8b, 0x08] as const;
/** Deflate reaches 1,032 : 1; text stays far below this. */
const RATIO_MAX = 200;
/** The ratio is not checked below this many bytes. */
const RATIO_FREE_BYTES = 8 * 1024 * 1024;

/** Whether a file begins as one that is compressed with gzip. */
export function isGzip(head: Uint8Array): boolean {
  return GZIP.every((byte, at) => head[at] === byte);
}

/**
 * The bytes of a file, decompressed if it is a gzip file, in pieces of some KiB.
 * @param isPart whether the bytes are the beginning of a longer file, whose end is no fault then
 * @throws {ServiceError} `file_unreadable` if the compressed data are damaged, cut off, or expand as no text does
 */
export async function* gunzipped(source: AsyncIterable<Buffer>, isPart = false): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let headBytes = 0;
  let hasEnded = false;
  while (headBytes < GZIP.length && !hasEnded) {
    const { done = false, value } = await pieces.next();
    hasEnded = done;
    if (!done) head.push(value);
    headBytes += done ? 0 : value.length;
  }
  const first = Buffer.concat(head);
  const whole = (async function* () {
    if (first.length > 0) yield first;
    while (!hasEnded) {
      const { done = false, value } = await pieces.next();
      hasEnded = done;
      if (!done) yield value as Buffer;
    }
  })();
  try {
    yield* isGzip(first) ? gunzip(whole, isPart) : whole;
  } finally {
    await pieces.return?.();
  }
}

async function* gunzip(source: AsyncIterable<Buffer>, isPart: boolean): AsyncGenerator<Buffer> {
  const inflater = createGunzip(isPart ? { finishFlush: constants.Z_SYNC_FLUSH } : {});
  let read = 0;
  let written = 0;
  let sourceError: unknown;
  const feed = async (): Promise<void> => {
    try {
      for await (const piece of source) {
        read += piece.length;
        if (inflater.destroyed) return;
        if (!inflater.write(piece))
          await new Promise((resolve) => inflater.once('drain', resolve).once('close', resolve));
      }
      inflater.end();
    } catch (error) {
      sourceError = error;
      inflater.destroy(error as Error);
    }
  };
  const fed = feed();
  try {
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      written += piece.length;
      if (written > RATIO_FREE_BYTES && written > read * RATIO_MAX) throw expanded();
      yield piece;
    }
  } catch (cause) {
    if (sourceError !== undefined || !isDamage(cause)) throw cause;
    throw fileUnreadable(
      'The file is compressed with gzip, and its data are damaged or cut off. Compress it anew, or upload it as it is.',
      cause,
    );
  } finally {
    inflater.destroy();
    await fed;
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

function expanded(): Error {
  return fileUnreadable(
    'The file is compressed with gzip and expands as no text does. Decompress it, and upload it as it is.',
  );
}

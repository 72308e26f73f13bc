import { createInflateRaw } from 'node:zlib';

/** Deflate reaches 1,032 : 1; normal data stays far below this. */
const RATIO_MAX = 200;
/** The ratio is not checked below this many output bytes. */
const RATIO_FREE_BYTES = 8 * 1024 * 1024;
/** Input bytes per step: their output is held in memory. */
const INPUT_BYTES = 4096;
const COPIED_BYTES = 65_536;

/** Errors of inflating; the archive reader provides their messages. */
export interface InflateErrors {
  readonly damaged: () => Error;
  /** The output exceeds the limit. */
  readonly tooLarge: () => Error;
  /** The compression ratio exceeds the limit. */
  readonly unnatural: () => Error;
}

/** Reads a stream in requested lengths. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes consumed from the member. */
  used = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** Up to `length` bytes; fewer at the end. */
  async take(length: number): Promise<Buffer> {
    const pieces = [this.#rest];
    let held = this.#rest.length;
    while (held < length) {
      const { done, value } = await this.#pieces.next();
      if (done) break;
      pieces.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      held += value.byteLength;
    }
    const all = Buffer.concat(pieces);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }

  putBack(piece: Buffer): void {
    this.#rest = Buffer.concat([piece, this.#rest]);
  }
}

/**
 * A member of an archive, inflated while it is read: deflated data up to its end marker, or `storedBytes` bytes that
 * are stored uncompressed. It counts the output and ignores the sizes that the archive declares.
 */
export async function* inflateMember(
  bytes: ByteReader,
  storedBytes: number | null,
  bytesMax: number,
  errors: InflateErrors,
): AsyncGenerator<Buffer> {
  let inflated = 0;
  const pieces =
    storedBytes === null ? inflate(bytes, errors.damaged) : copy(bytes, storedBytes, errors.damaged);
  for await (const piece of pieces) {
    inflated += piece.length;
    if (inflated > bytesMax) throw errors.tooLarge();
    if (inflated > RATIO_FREE_BYTES && inflated > bytes.used * RATIO_MAX) throw errors.unnatural();
    yield piece;
  }
}

async function* copy(bytes: ByteReader, length: number, damaged: () => Error): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; ) {
    const piece = await bytes.take(Math.min(left, COPIED_BYTES));
    if (piece.length === 0) throw damaged();
    left -= piece.length;
    bytes.used += piece.length;
    yield piece;
  }
}

/** Inflates up to the end marker of the data, and returns the bytes after it. */
async function* inflate(bytes: ByteReader, damaged: () => Error): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw();
  const output: Buffer[] = [];
  let hasEnded = false;
  let settle: (error?: Error) => void = () => {};
  inflater.on('data', (piece: Buffer) => output.push(piece));
  inflater.on('end', () => {
    hasEnded = true;
    settle();
  });
  inflater.on('error', () => settle(damaged()));
  try {
    while (!hasEnded) {
      const input = await bytes.take(INPUT_BYTES);
      const before = inflater.bytesWritten;
      await new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
        // A write that contains the end of the data fails, but the end event has come before.
        if (input.length > 0) inflater.write(input, () => settle());
        // Fails if the data has no end marker.
        else inflater.end();
      });
      const used = inflater.bytesWritten - before;
      bytes.used += used;
      bytes.putBack(input.subarray(used));
      if (used < input.length) hasEnded = true;
      yield* output.splice(0);
    }
  } finally {
    inflater.destroy();
  }
}

import { createInflateRaw } from 'node:zlib';

/** Deflate reaches 1,032 : 1; data that people send stays far below this. */
const RATIO_MAX = 200;
/** Below this much of output no ratio is judged. */
const RATIO_FREE_BYTES = 8 * 1024 * 1024;
/** Inflated at a time: what comes of it is held in memory. */
const INPUT_BYTES = 4096;
const COPIED_BYTES = 65_536;

/** Errors of inflating, worded by the reader of the archive. */
export interface InflateErrors {
  readonly damaged: () => Error;
  /** More comes out than may. */
  readonly tooLarge: () => Error;
  /** More comes out of what went in than of any data. */
  readonly unnatural: () => Error;
}

/** The bytes of a stream in the lengths that are asked for. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the member that were used up. */
  used = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** As many bytes as there are, up to `length`. */
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
 * A member of an archive, inflated while it is read: deflated data up to the end that it marks itself, or
 * `storedBytes` that are stored as they are. What comes out is counted; sizes that an archive states are not believed.
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

/** Inflates up to the end that the data itself marks, and gives back what comes after it. */
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
        // A write that holds the end of the data fails: the end has settled it by then.
        if (input.length > 0) inflater.write(input, () => settle());
        // An error where the data has not marked its end.
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

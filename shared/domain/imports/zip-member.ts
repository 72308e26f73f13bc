import { createInflateRaw } from 'node:zlib';
import { ServiceError } from '../../errors/service-error.ts';
import { fileUnreadable, formatBytes } from '../tabular/file-error.ts';

/** Deflate reaches 1,032 : 1; tables of real data stay far below this. */
const RATIO_MAX = 200;
/** Below this much of output no ratio is judged. */
const RATIO_FREE_BYTES = 8 * 1024 * 1024;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const HEADER_BYTES = 30;
/** Inflated at a time: what comes of it is held in memory. */
const INPUT_BYTES = 4096;
const COPIED_BYTES = 65_536;
/** Lengths of what may stand between a member and the directory: nothing, or sizes with a signature or without. */
const DESCRIPTOR_BYTES = [0, 12, 16, 20, 24];

/** The bytes of a stream in the lengths that are asked for. */
class Bytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  read = 0;

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

const damaged = (): ServiceError => fileUnreadable('The ZIP archive is damaged. Import the file again.');

/**
 * The one file of a ZIP archive, inflated while it is read. Sizes that the archive states are not believed: what comes
 * out is counted.
 * @throws {ServiceError} `file_unreadable` for an archive of several files, an encrypted or a damaged one, or one that
 * inflates as no data does; `file_too_large`
 */
export async function* readZipMember(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  const bytes = new Bytes(source);
  const header = await bytes.take(HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) throw damaged();
  const flags = header.readUInt16LE(6);
  const method = header.readUInt16LE(8);
  const stored = header.readUInt32LE(18);
  await bytes.take(header.readUInt16LE(26) + header.readUInt16LE(28));
  if ((flags & 1) !== 0) throw fileUnreadable('The ZIP archive is encrypted. Import a file that is not.');
  const hasLength = (flags & 8) === 0 && stored !== 0xffff_ffff;
  if (method !== 8 && !(method === 0 && hasLength)) {
    throw fileUnreadable('The ZIP archive is compressed in a way that is not read. Import the file itself.');
  }
  let inflated = 0;
  for await (const piece of method === 0 ? copied(bytes, stored) : inflatedMember(bytes)) {
    inflated += piece.length;
    if (inflated > bytesMax) {
      throw new ServiceError(
        'file_too_large',
        `The ZIP archive inflates to more than ${formatBytes(bytesMax)}, the most that can be read.`,
      );
    }
    if (inflated > RATIO_FREE_BYTES && inflated > bytes.read * RATIO_MAX) {
      throw fileUnreadable('The ZIP archive inflates as no data does. Import the file itself.');
    }
    yield piece;
  }
  const end = await bytes.take(HEADER_BYTES);
  const follows = (signature: number): boolean =>
    DESCRIPTOR_BYTES.some((at) => at + 4 <= end.length && end.readUInt32LE(at) === signature);
  if (follows(CENTRAL_HEADER)) return;
  if (follows(LOCAL_HEADER)) {
    throw fileUnreadable('The ZIP archive holds several files. Import those that you want by their paths.');
  }
  throw damaged();
}

async function* copied(bytes: Bytes, length: number): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; ) {
    const piece = await bytes.take(Math.min(left, COPIED_BYTES));
    if (piece.length === 0) throw damaged();
    left -= piece.length;
    bytes.read += piece.length;
    yield piece;
  }
}

/** Inflates up to the end that the data itself marks, and gives back what comes after it. */
async function* inflatedMember(bytes: Bytes): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  const output: Buffer[] = [];
  let hasEnded = false;
  let settle: (error?: Error) => void = () => {};
  inflate.on('data', (piece: Buffer) => output.push(piece));
  inflate.on('end', () => {
    hasEnded = true;
    settle();
  });
  inflate.on('error', () => settle(damaged()));
  try {
    while (!hasEnded) {
      const input = await bytes.take(INPUT_BYTES);
      if (input.length === 0) throw damaged();
      const before = inflate.bytesWritten;
      await new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
        // A write that holds the end of the data fails: the end has settled it by then.
        inflate.write(input, () => settle());
      });
      const used = inflate.bytesWritten - before;
      bytes.read += used;
      bytes.putBack(input.subarray(used));
      if (used < input.length) hasEnded = true;
      yield* output.splice(0);
    }
  } finally {
    inflate.destroy();
  }
}

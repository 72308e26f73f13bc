import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeWindows1252 } from '#shared/platform/windows-1252.ts';
import { fileUnreadable } from './file-error.ts';
import { describeSignature } from './file-signature.ts';
import type { ReadWarning, TextFormat } from './row-reader.ts';
import { SetAside } from './set-aside.ts';

const HEAD_BYTES = 1024;
const NO_BYTES = Buffer.alloc(0);

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'gb18030';

/** Bytes above ASCII that say whether a text is Western; in Western text they stand alone or in pairs, in other scripts in runs. */
const HIGH_BYTES_MIN = 12;
const IN_RUNS_MAX = 0.3;
const RUN_MIN = 3;
/** Bytes to which Windows-1252 gives no character. */
const UNDEFINED_BYTES: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** Pairs of bytes above ASCII that tell Chinese text in GB18030, and the share of them that common characters have there. */
const CHINESE_PAIRS_MIN = 4;
const COMMON_MIN = 0.8;

/**
 * Converts a file's bytes to valid UTF-8 without a byte order mark, in blocks that end between characters. UTF-16 is
 * detected by its mark or by the positions of its NUL bytes. A file that is ASCII up to its first byte that is not UTF-8 is
 * read as GB18030 if its bytes look like common Chinese characters, else as Windows-1252, with a warning, unless it is a document or its bytes look like
 * another script. Throws `file_unreadable` for a file whose
 * first bytes are another type's, and at the first byte that is not text, with its offset.
 */
export class TextBlocks {
  readonly warnings: ReadWarning[] = [];
  readonly #format: TextFormat | 'txt';
  #head: Buffer | null = NO_BYTES;
  #encoding: Encoding = 'utf-8';
  #decoder: TextDecoder | undefined;
  #carry: Buffer = NO_BYTES;
  /** Offset in the file of the first unvalidated byte. */
  #offset = 0;
  /** Whether a character above ASCII was read as UTF-8. */
  #hasUtf8 = false;
  /** Bytes above ASCII of a Windows-1252 file, and those of them in runs. */
  #highBytes = 0;
  #inRuns = 0;

  readonly #setAside: SetAside;

  /** @param setAside where it is open, bytes that are not UTF-8 are passed on, for the reader of rows to leave theirs out */
  constructor(format: TextFormat | 'txt', setAside = new SetAside()) {
    this.#format = format;
    this.#setAside = setAside;
  }

  push(bytes: Buffer): Buffer {
    if (this.#head === null) return this.#decode(bytes, false);
    this.#head = Buffer.concat([this.#head, bytes]);
    return this.#head.length < HEAD_BYTES ? NO_BYTES : this.#start();
  }

  /** The rest at the file's end. */
  end(): Buffer {
    const first = this.#head === null ? NO_BYTES : this.#start();
    const last = this.#decode(NO_BYTES, true);
    return last.length === 0 ? first : Buffer.concat([first, last]);
  }

  #start(): Buffer {
    const head = this.#head ?? NO_BYTES;
    this.#head = null;
    const kind = describeSignature(head);
    if (kind !== null) {
      throw fileUnreadable(
        `The file was announced as ${this.#format}, but its first bytes are those of ${kind}. Upload the ${this.#format} file itself.`,
      );
    }
    const { encoding, markBytes } = detectEncoding(head);
    this.#encoding = encoding;
    this.#offset = markBytes;
    if (encoding !== 'utf-8') {
      this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
      this.warnings.push({
        code: 'encoding_converted',
        message: `The file is ${encoding.toUpperCase()}; its text was converted to UTF-8.`,
      });
    }
    return this.#decode(head.subarray(markBytes), false);
  }

  #decode(bytes: Buffer, last: boolean): Buffer {
    if (this.#encoding === 'windows-1252') return this.#decodeWestern(bytes);
    return this.#decoder === undefined
      ? this.#validateUtf8(bytes, last)
      : this.#decodeWith(this.#decoder, bytes, last);
  }

  /** @throws {ServiceError} `file_unreadable` where the bytes are not those of Western text */
  #decodeWestern(bytes: Buffer): Buffer {
    let run = 0;
    for (let at = 0; at <= bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x80) {
        if (UNDEFINED_BYTES.has(byte)) throw this.#notUtf8(this.#offset + at, byte);
        run += 1;
        continue;
      }
      this.#highBytes += run;
      if (run >= RUN_MIN) this.#inRuns += run;
      run = 0;
    }
    if (this.#highBytes >= HIGH_BYTES_MIN && this.#inRuns > IN_RUNS_MAX * this.#highBytes) {
      const at = bytes.findIndex((byte) => byte >= 0x80);
      throw this.#notUtf8(this.#offset + at, bytes[at] ?? 0);
    }
    this.#offset += bytes.length;
    return Buffer.from(decodeWindows1252(bytes), 'utf8');
  }

  #pass(block: Buffer, end: number): Buffer {
    this.#hasUtf8 = true;
    this.#offset += end;
    this.#carry = Buffer.from(block.subarray(end));
    return block.subarray(0, end);
  }

  #beginGb18030(block: Buffer, last: boolean): Buffer {
    this.#encoding = 'gb18030';
    this.#decoder = new TextDecoder('gb18030', { fatal: true, ignoreBOM: true });
    this.#carry = NO_BYTES;
    this.warnings.push({
      code: 'encoding_converted',
      message:
        'The file is not UTF-8. It was read as GB18030 (GBK), as its characters look Chinese; check them, and save the file as UTF-8 if they are wrong.',
    });
    return this.#decodeWith(this.#decoder, block, last);
  }

  #notUtf8(at: number, value: number, hint = ''): Error {
    const byte = value.toString(16).padStart(2, '0').toUpperCase();
    return fileUnreadable(
      `The file is not valid UTF-8: byte ${at} (0x${byte}) begins no character. It may be in an older encoding; save it as UTF-8 and upload it again.${hint}`,
    );
  }

  #decodeWith(decoder: TextDecoder, bytes: Buffer, last: boolean): Buffer {
    try {
      const text = decoder.decode(bytes, { stream: !last });
      this.#offset += bytes.length;
      return Buffer.from(text, 'utf8');
    } catch (cause) {
      throw fileUnreadable(
        `The file is ${this.#encoding.toUpperCase()}, but holds a broken character in the ${bytes.length} bytes from offset ${this.#offset}. Save it as UTF-8 and upload it again.`,
        cause,
      );
    }
  }

  #validateUtf8(bytes: Buffer, last: boolean): Buffer {
    const block = this.#carry.length === 0 ? bytes : Buffer.concat([this.#carry, bytes]);
    const end = last ? block.length : block.length - incompleteTail(block);
    const whole = block.subarray(0, end);
    if (!isUtf8(whole)) {
      const at = firstInvalidUtf8(whole);
      if (this.#format !== 'txt' && !this.#hasUtf8 && looksChinese(block))
        return this.#beginGb18030(block, last);
      const isBroken = this.#hasUtf8 || !isAscii(whole.subarray(0, at));
      if (isBroken && this.#setAside.isOpen) return this.#pass(block, end);
      // Of a document nothing but its encoding tells text from noise.
      if (isBroken || this.#format === 'txt') {
        throw this.#notUtf8(this.#offset + at, whole[at] ?? 0, isBroken ? this.#setAside.hint : '');
      }
      this.#encoding = 'windows-1252';
      this.warnings.push({
        code: 'encoding_converted',
        message: `The file is not UTF-8: byte ${this.#offset + at} begins no character. It was read as Windows-1252; check the letters with accents, and save it as UTF-8 if they are wrong.`,
      });
      this.#carry = NO_BYTES;
      return this.#decodeWestern(block);
    }
    this.#hasUtf8 ||= !isAscii(whole);
    this.#offset += end;
    this.#carry = end === block.length ? NO_BYTES : Buffer.from(block.subarray(end));
    return whole;
  }
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const MARKS_MAX = 4;

function detectEncoding(head: Buffer): { encoding: Encoding; markBytes: number } {
  // Programs that add a mark to a text which has one write it twice.
  let marks = 0;
  while (marks < MARKS_MAX && head.subarray(3 * marks, 3 * marks + 3).equals(UTF8_MARK)) marks += 1;
  if (marks > 0) return { encoding: 'utf-8', markBytes: 3 * marks };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };

  // Without a mark: western text in UTF-16 has a NUL in most pairs, nearly always on the same side.
  const pairs = Math.floor(Math.min(head.length, HEAD_BYTES) / 2);
  let evenNuls = 0;
  let oddNuls = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (head[pair * 2] === 0) evenNuls += 1;
    if (head[pair * 2 + 1] === 0) oddNuls += 1;
  }
  if (oddNuls > pairs / 2 && evenNuls <= pairs / 10) return { encoding: 'utf-16le', markBytes: 0 };
  if (evenNuls > pairs / 2 && oddNuls <= pairs / 10) return { encoding: 'utf-16be', markBytes: 0 };
  return { encoding: 'utf-8', markBytes: 0 };
}

/**
 * Whether the bytes above ASCII are pairs of GB18030, most of them punctuation or one of the 3,755 common characters (GB 2312, level 1).
 * Korean in EUC-KR lies in the first half of their range alone; Japanese, Big5 and Cyrillic lie mostly outside.
 */
function looksChinese(bytes: Buffer): boolean {
  let pairs = 0;
  let common = 0;
  let characters = 0;
  let beyondKorean = 0;
  for (let at = 0; at < bytes.length - 1; at += 1) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    const trail = bytes[at + 1] as number;
    at += 1;
    pairs += 1;
    if (trail < 0xa1) continue;
    const isCharacter = lead >= 0xb0 && lead <= 0xd7;
    if (isCharacter) characters += 1;
    if (isCharacter && lead > 0xc8) beyondKorean += 1;
    if (isCharacter || (lead >= 0xa1 && lead <= 0xa3)) common += 1;
  }
  const isKorean = characters >= 2 * CHINESE_PAIRS_MIN && beyondKorean === 0;
  return pairs >= CHINESE_PAIRS_MIN && common >= COMMON_MIN * pairs && characters > 0 && !isKorean;
}

/** Number of bytes at the end that start an incomplete character (0 to 3). */
function incompleteTail(block: Buffer): number {
  for (let back = 1; back <= Math.min(3, block.length); back += 1) {
    const byte = block[block.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return width > back ? back : 0;
    }
  }
  return 0;
}

function firstInvalidUtf8(block: Buffer): number {
  // Binary search over prefixes: a prefix is valid, except for a truncated last character, until it contains the bad
  // byte.
  let valid = 0;
  let size = block.length;
  while (size > 8) {
    const half = size >> 1;
    const part = block.subarray(valid, valid + half);
    const tail = incompleteTail(part);
    if (isUtf8(part.subarray(0, half - tail))) {
      valid += half - tail;
      size -= half - tail;
    } else {
      size = half;
    }
  }
  while (valid < block.length) {
    const width = [1, 2, 3, 4].find((bytes) => isUtf8(block.subarray(valid, valid + bytes)));
    if (width === undefined) return valid;
    valid += width;
  }
  return valid;
}

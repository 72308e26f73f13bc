import { isUtf8 } from 'node:buffer';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import { type CanonicalChunk, ChunkBuilder } from './chunk-builder.ts';
import { fileEmpty, fileUnreadable, formatBytes, quoteName } from './file-error.ts';
import { readKeysBehind } from './json-layout.ts';
import { describeValue } from './jsonl-reader.ts';
import { ROW_BYTES_MAX } from './limits.ts';
import { ObjectRows } from './object-rows.ts';
import { describeFound, INCOMPLETE, JsonTextError, ObjectScanner, skipSpaces } from './raw-object.ts';
import type { ReadWarning, RowReader } from './row-reader.ts';
import { SetAside } from './set-aside.ts';

const NO_BYTES = Buffer.alloc(0);

/** What the parser expects next: the array's `[`; an object or `]`; an object; `,` or `]`; the end. */
type Expectation = 'array' | 'first' | 'object' | 'separator' | 'nothing';

/** Bytes of an object behind the array that holds its rows. */
const BEHIND_BYTES_MAX = 1024 * 1024;

/** The array that is read, if it is not all of the text. */
export interface ArrayPlace {
  /** Offset of the array in the text. */
  readonly offset?: number;
  /** The key under which the array is, and the keys before it. */
  readonly under?: { readonly key: string; readonly before: readonly string[] } | null;
  /** Whether there is no array: objects stand one behind another, with commas between them or without. */
  readonly isSequence?: boolean;
}

/** Reads one JSON array of objects, with one object in memory at a time; what follows the array under a key is left out. */
export class JsonReader implements RowReader {
  readonly #builder = new ChunkBuilder(() => `Element ${this.#element} of the array (counting from 0)`);
  readonly #rows = new ObjectRows(this.#builder);
  readonly #scanner = new ObjectScanner({ lenient: true });
  #expectation: Expectation = 'array';
  #element = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** An incomplete object is scanned again only after its bytes have doubled: linear work in total. */
  #retryBytes = 0;
  /** Offset in the text of the first pending byte. */
  #offset: number;
  readonly #under: { readonly key: string; readonly before: readonly string[] } | null;
  #behind: Buffer[] = [];
  #behindBytes = 0;
  /** Keys beside the one with the rows. */
  #leftOut: readonly string[] = [];

  readonly #setAside: SetAside;

  readonly #isSequence: boolean;

  constructor({ offset = 0, under = null, isSequence = false }: ArrayPlace = {}, setAside = new SetAside()) {
    this.#setAside = setAside;
    this.#offset = offset;
    this.#isSequence = isSequence;
    if (isSequence) this.#expectation = 'object';
    this.#under = under;
  }

  get rowCount(): number {
    return this.#builder.rowCount;
  }

  get columns(): RowsColumn[] {
    return this.#rows.columns;
  }

  get warnings(): ReadWarning[] {
    const ofRows = [...this.#setAside.warnings(this.rowCount), ...this.#rows.warnings];
    if (this.#under === null) return ofRows;
    const names = this.#leftOut.slice(0, 10).map(quoteName).join(', ');
    const others = this.#leftOut.length === 0 ? '' : `; other keys were left out: ${names}`;
    const message = `The rows are those under the key ${quoteName(this.#under.key)}${others}.`;
    return [
      others === '' ? { code: 'rows_under_key', message } : { code: 'keys_left_out', message },
      ...ofRows,
    ];
  }

  takeChunks(): CanonicalChunk[] {
    return this.#builder.takeChunks();
  }

  push(block: Buffer): void {
    if (block.length === 0) return;
    this.#pending.push(block);
    this.#pendingBytes += block.length;
    if (this.#pendingBytes < this.#retryBytes) return;
    this.#read(false);
  }

  end(): void {
    this.#read(true);
    if (this.#expectation === 'array') {
      throw fileEmpty('The file is empty. Upload a JSON array of objects.');
    }
    const isWhole = this.#isSequence ? this.#pendingBytes === 0 : this.#expectation === 'nothing';
    if (!isWhole) {
      throw fileUnreadable(
        `The file ends ${this.#isSequence ? 'inside an object' : 'before its array is closed'}, after ${this.#element} whole objects. It may have been cut off; upload it again.`,
      );
    }
    if (this.#under !== null) {
      const behind = readKeysBehind(Buffer.concat(this.#behind), this.#under.key);
      this.#leftOut = [...this.#under.before, ...behind];
    }
    this.#setAside.requireFew(this.rowCount);
    this.#rows.requireContent('The array in the file holds no objects.');
    this.#builder.finish();
  }

  #read(last: boolean): void {
    const bytes = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending);
    const consumed = this.#readBytes(bytes, last);
    const rest = consumed === bytes.length ? NO_BYTES : Buffer.from(bytes.subarray(consumed));
    this.#offset += consumed;
    this.#pending = rest.length === 0 ? [] : [rest];
    this.#pendingBytes = rest.length;
    this.#retryBytes = rest.length * 2;
    if (rest.length > ROW_BYTES_MAX) {
      throw fileUnreadable(
        `Element ${this.#element} of the array (counting from 0) is larger than ${formatBytes(ROW_BYTES_MAX)}, the limit of one row. Shorten it.`,
      );
    }
  }

  /** Parses the available bytes; returns the offset of the first byte that is still needed. */
  #readBytes(bytes: Buffer, last: boolean): number {
    const end = bytes.length;
    let at = skipSpaces(bytes, 0, end);
    while (at < end) {
      const byte = bytes[at];
      switch (this.#expectation) {
        case 'array':
          if (byte !== 0x5b) throw this.#notAnArray(bytes, at);
          this.#expectation = 'first';
          at += 1;
          break;
        case 'first':
        case 'object': {
          if (byte === 0x5d && this.#expectation === 'first') {
            this.#expectation = 'nothing';
            at += 1;
            break;
          }
          const objectEnd = this.#readObject(bytes, at, last);
          if (objectEnd === INCOMPLETE) return at;
          this.#expectation = 'separator';
          at = objectEnd;
          break;
        }
        case 'separator':
          if (this.#isSequence) {
            this.#expectation = 'object';
            if (byte === 0x2c) at += 1;
            break;
          }
          if (byte !== 0x2c && byte !== 0x5d) {
            throw this.#malformed(
              at,
              `expected "," or "]" after element ${this.#element - 1}, found ${describeFound(bytes, at)}`,
            );
          }
          this.#expectation = byte === 0x2c ? 'object' : 'nothing';
          at += 1;
          break;
        case 'nothing':
          if (this.#under !== null) {
            this.#keepBehind(bytes.subarray(at), this.#under.key);
            return end;
          }
          throw this.#malformed(at, `${describeFound(bytes, at)} follows the array`);
      }
      at = skipSpaces(bytes, at, end);
    }
    return at;
  }

  #readObject(bytes: Buffer, start: number, last: boolean): number {
    if (bytes[start] !== 0x7b) {
      // A truncated number or word is only distinguishable from a complete one with more bytes.
      if (!last && bytes.length - start < 32) return INCOMPLETE;
      return this.#skipElement(bytes, start);
    }
    let objectEnd: number;
    try {
      objectEnd = this.#scanner.scan(bytes, start, bytes.length);
    } catch (cause) {
      if (!(cause instanceof JsonTextError)) throw cause;
      throw this.#malformed(
        cause.offset,
        `in element ${this.#element} (counting from 0), ${cause.message}`,
        cause,
      );
    }
    if (objectEnd === INCOMPLETE) return INCOMPLETE;
    const element = this.#element;
    this.#element += 1;
    if (this.#setAside.isOpen && !isUtf8(bytes.subarray(start, objectEnd))) {
      this.#leaveOut(element, 'is not valid UTF-8');
      return objectEnd;
    }
    this.#rows.append(bytes, this.#scanner, () => `element ${element}, counting from 0`);
    return objectEnd;
  }

  /** Leaves an element out that is no object. */
  #skipElement(bytes: Buffer, start: number): number {
    const element = this.#element;
    let end: number;
    try {
      end = this.#setAside.isOpen ? this.#scanner.skipValue(bytes, start, bytes.length) : start;
    } catch (cause) {
      if (!(cause instanceof JsonTextError)) throw cause;
      throw this.#malformed(cause.offset, `in element ${element} (counting from 0), ${cause.message}`, cause);
    }
    if (end === INCOMPLETE) return INCOMPLETE;
    this.#leaveOut(element, `is ${describeValue(this.#scanner, bytes, start, bytes.length)}, not an object`);
    this.#element += 1;
    return end;
  }

  #leaveOut(element: number, reason: string): void {
    this.#setAside.add({
      where: `element ${element}, counting from 0`,
      reason,
      message: `Element ${element} of the array (counting from 0) ${reason}. A json file must be an array of objects, one for each row.`,
    });
  }

  #keepBehind(bytes: Buffer, key: string): void {
    this.#behind.push(Buffer.from(bytes));
    this.#behindBytes += bytes.length;
    if (this.#behindBytes > BEHIND_BYTES_MAX) {
      throw fileUnreadable(
        `More than ${formatBytes(BEHIND_BYTES_MAX)} follow the rows under ${quoteName(key)}. Upload that array alone.`,
      );
    }
  }

  #notAnArray(bytes: Buffer, at: number): Error {
    const found = describeValue(this.#scanner, bytes, at, bytes.length);
    const hint =
      found === 'an object'
        ? ' If each line holds one object, upload it with the format jsonl; if one key holds the rows, upload that array alone.'
        : ' Upload an array with one object for each row.';
    return fileUnreadable(`A json file must be an array of objects; this one begins with ${found}.${hint}`);
  }

  #malformed(at: number, reason: string, cause?: unknown): Error {
    return fileUnreadable(
      `The file is not valid JSON: ${reason} (byte ${this.#offset + at} of the text). Correct it and upload it again.`,
      cause,
    );
  }
}

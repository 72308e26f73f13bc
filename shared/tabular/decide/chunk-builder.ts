import { fileUnreadable, formatBytes } from './file-error.ts';
import { CHUNK_BYTES_MAX, CHUNK_ROWS_MAX, ROW_BYTES_MAX } from './limits.ts';
import { unnatural } from './size-ratio.ts';

/** Limit of finished chunks that wait to be taken; one input block of 1 MiB does not produce more. */
const READY_BYTES_MAX = 64 * 1024 * 1024;

/** A finished chunk: JSONL, one line a row. */
export interface CanonicalChunk {
  readonly body: Buffer;
  readonly firstRow: number;
  readonly rowCount: number;
}

/**
 * Collects canonical lines into chunks. Readers write straight into `bytes` at `length` (after `reserve`) and call
 * `endRow` when a line is complete, because a call per cell would cost more than the cell.
 */
export class ChunkBuilder {
  bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES_MAX + 64 * 1024);
  length = 0;
  rowCount = 0;
  #rowStart = 0;
  #chunkRows = 0;
  #ready: CanonicalChunk[] = [];
  #readyBytes = 0;
  readonly #locateRow: () => string;
  readonly #readyBytesMax: number;

  /**
   * `locateRow` names the current row for errors: "the row that starts at line 12". No valid file exceeds
   * `readyBytesMax` of untaken chunks.
   */
  constructor(locateRow: () => string, readyBytesMax = READY_BYTES_MAX) {
    this.#locateRow = locateRow;
    this.#readyBytesMax = readyBytesMax;
  }

  /** Makes room for `extra` bytes after `length`. Throws `file_unreadable` if the row exceeds its limit. */
  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.bytes.length) return;
    if (needed - this.#rowStart > ROW_BYTES_MAX + 1024 * 1024) throw this.#rowTooLarge();
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  /** Bytes of the line that is being written. */
  get lineBytes(): number {
    return this.length - this.#rowStart;
  }

  /** Drops the line that is being written. */
  discardLine(): void {
    this.length = this.#rowStart;
  }

  /** Ends the row whose line (with its newline) is between the last row's end and `length`. */
  endRow(): void {
    const rowBytes = this.length - this.#rowStart;
    if (rowBytes > ROW_BYTES_MAX) throw this.#rowTooLarge();
    if (this.length > CHUNK_BYTES_MAX && this.#chunkRows > 0) {
      const rowEnd = this.length;
      const rowStart = this.#rowStart;
      this.length = rowStart;
      this.#closeChunk();
      this.bytes.copy(this.bytes, 0, rowStart, rowEnd);
      this.length = rowBytes;
    }
    this.#chunkRows += 1;
    this.rowCount += 1;
    if (this.#chunkRows === CHUNK_ROWS_MAX || this.length > CHUNK_BYTES_MAX) this.#closeChunk();
    this.#rowStart = this.length;
  }

  /** Closes the last chunk; every row must have been ended. */
  finish(): void {
    if (this.#chunkRows > 0) this.#closeChunk();
  }

  /** The chunks completed since the last call, in row order. */
  takeChunks(): CanonicalChunk[] {
    if (this.#ready.length === 0) return this.#ready;
    const chunks = this.#ready;
    this.#ready = [];
    this.#readyBytes = 0;
    return chunks;
  }

  #closeChunk(): void {
    this.#readyBytes += this.length;
    if (this.#readyBytes > this.#readyBytesMax) throw unnatural();
    this.#ready.push({
      body: Buffer.from(this.bytes.subarray(0, this.length)),
      firstRow: this.rowCount - this.#chunkRows,
      rowCount: this.#chunkRows,
    });
    this.length = 0;
    this.#rowStart = 0;
    this.#chunkRows = 0;
  }

  #rowTooLarge(): Error {
    return fileUnreadable(
      `${this.#locateRow()} is larger than ${formatBytes(ROW_BYTES_MAX)}, the limit of one row. Shorten it, or close an open quote.`,
    );
  }
}

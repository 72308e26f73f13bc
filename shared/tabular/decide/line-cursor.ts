const NEWLINE = 0x0a;

/**
 * Iterates over the lines of a byte stream. A step within a block needs no promise: `while (cursor.step() || (await
 * cursor.fill())) …` with the line at `bytes[start]` up to `bytes[end]`.
 */
export class LineCursor {
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  #next = 0;
  #tail: Buffer[] = [];
  #ended = false;
  readonly #blocks: AsyncIterator<Uint8Array>;

  constructor(blocks: AsyncIterable<Uint8Array>) {
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** Moves to the next non-empty line of the current block; false at the end of the block. */
  step(): boolean {
    while (this.#next < this.bytes.length) {
      const newline = this.bytes.indexOf(NEWLINE, this.#next);
      if (newline === -1) {
        if (!this.#ended) this.#tail.push(Buffer.from(this.bytes.subarray(this.#next)));
        this.start = this.#next;
        this.end = this.bytes.length;
        this.#next = this.bytes.length;
        return this.#ended;
      }
      this.start = this.#next;
      this.end = newline;
      this.#next = newline + 1;
      if (newline > this.start) return true;
    }
    return false;
  }

  /** Fetches the next block and moves to its first line; false at the end of the stream. */
  async fill(): Promise<boolean> {
    while (!this.#ended) {
      const next = await this.#blocks.next();
      let block: Buffer;
      if (next.done === true) {
        this.#ended = true;
        block = Buffer.alloc(0);
      } else {
        block = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
      }
      if (!this.#ended && this.#tail.length > 0 && block.indexOf(NEWLINE) === -1) {
        this.#tail.push(block);
        continue;
      }
      this.bytes = this.#tail.length === 0 ? block : Buffer.concat([...this.#tail, block]);
      this.#tail = [];
      this.#next = 0;
      if (this.step()) return true;
    }
    return false;
  }

  /** Closes the stream early. */
  async close(): Promise<void> {
    await this.#blocks.return?.();
  }
}

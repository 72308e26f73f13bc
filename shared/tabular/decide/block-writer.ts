const BLOCK_BYTES = 1024 * 1024;

/** A growing buffer that is emitted in blocks of about 1 MiB. Write at `length` after `reserve`. */
export class BlockWriter {
  bytes = Buffer.allocUnsafeSlow(BLOCK_BYTES + 64 * 1024);
  length = 0;

  reserve(extra: number): void {
    if (this.length + extra <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.length + extra, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  write(source: Uint8Array, start = 0, end = source.length): void {
    const size = end - start;
    this.reserve(size);
    const { bytes } = this;
    let out = this.length;
    if (size < 48) {
      for (let at = start; at < end; at += 1) bytes[out++] = source[at] as number;
    } else {
      bytes.set(source.subarray(start, end), out);
      out += size;
    }
    this.length = out;
  }

  get full(): boolean {
    return this.length >= BLOCK_BYTES;
  }

  /** The bytes written since the last call, as a copy. */
  take(): Buffer {
    const block = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return block;
  }
}

/** The bytes of a part of a table, from its object's start. */
export interface Section {
  readonly at: number;
  readonly bytes: number;
}

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type ArrayType<T extends NumberArray> = new (buffer: ArrayBuffer) => T;

/** A list of numbers that grows, in little memory. */
export class NumberList<T extends NumberArray> {
  length = 0;
  #values: T;
  readonly #create: (length: number) => T;

  constructor(create: (length: number) => T) {
    this.#create = create;
    this.#values = create(1024);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = this.#create(this.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  /** The numbers so far, without a copy. */
  values(): T {
    return this.#values.subarray(0, this.length) as T;
  }

  bytes(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.values();
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
}

/** The numbers of a section, of bytes that begin with byte `from` of the object. */
export function readNumbers<T extends NumberArray>(
  type: ArrayType<T>,
  bytes: Uint8Array,
  from: number,
  section: Section,
): T {
  const start = bytes.byteOffset + section.at - from;
  // A copy: an array of wide numbers must begin at a multiple of their size.
  return new type(bytes.buffer.slice(start, start + section.bytes) as ArrayBuffer);
}

/** Values by number, from 1; 0 is none. */
export class ValueNumbers {
  readonly values: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a value; 0 for null, and for what does not fit the numbers of two bytes. */
  numberOf(value: string | null): number {
    if (value === null) return 0;
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    if (this.values.length === 65_535) return 0;
    this.values.push(value);
    this.#numbers.set(value, this.values.length);
    return this.values.length;
  }
}

/** Packed blocks of rows that follow each other in an object: the first row of each, and where it ends. */
export interface Blocks {
  readonly firstRows: Uint32Array;
  /** Offsets after the last byte; a block begins where the one before it ends. */
  readonly ends: Float64Array;
}

/** The block with this row: the last one that does not begin after it. */
export function blockOf(firstRows: Uint32Array, row: number): number {
  let low = 0;
  let high = firstRows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((firstRows[middle] as number) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The offset of the first byte of a block. */
export const startOf = (ends: Float64Array, block: number): number =>
  block === 0 ? 0 : (ends[block - 1] as number);

/** The bytes of a block, of bytes that begin with byte `from` of the object. */
export function blockIn(bytes: Uint8Array, from: number, ends: Float64Array, block: number): Uint8Array {
  return bytes.subarray(startOf(ends, block) - from, (ends[block] as number) - from);
}

interface BlockRange {
  /** Offsets of the first and the last byte, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** The blocks that are wanted of it. */
  readonly blocks: readonly number[];
}

/** The ranges to read for some blocks, in their order: a small gap is read rather than asked for twice. */
export function rangesOf(
  ends: Float64Array,
  blocks: readonly number[],
  { gapMax, bytesMax }: { readonly gapMax: number; readonly bytesMax: number },
): BlockRange[] {
  const ranges: { from: number; to: number; blocks: number[] }[] = [];
  for (const block of blocks) {
    const from = startOf(ends, block);
    const to = (ends[block] as number) - 1;
    const last = ranges.at(-1);
    if (last !== undefined && from - last.to - 1 <= gapMax && to - last.from < bytesMax) {
      last.to = to;
      last.blocks.push(block);
    } else ranges.push({ from, to, blocks: [block] });
  }
  return ranges;
}

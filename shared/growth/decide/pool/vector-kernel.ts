/**
 * Inner products of vectors of 32-bit floats in WebAssembly SIMD: nothing native to install, and it keeps up with
 * native libraries because it holds a tile of queries × rows in registers, so that each loaded vector serves several
 * products. The module is written here instruction by instruction; it has a few hundred bytes.
 */

/** Rows that one pass of a scan takes together; a buffer of rows is filled up with zeros to a multiple. */
export const ROWS_TOGETHER = 4;
export const QUERIES_TOGETHER = 4;
/** Vectors are filled up with zeros to a multiple of so many floats. */
export const FLOATS_TOGETHER = 8;

const PAGE_BYTES = 65_536;

/** Each scan writes `scores[query × stride + row]`; places in the memory are in bytes, the stride in floats. */
export interface VectorKernel {
  readonly memory: WebAssembly.Memory;
  /** Four queries, which lie one after another. `rows` is a multiple of 4, `bytes`, those of one vector, of 32. */
  scanFour(
    rowsAt: number,
    rows: number,
    queriesAt: number,
    bytes: number,
    scoresAt: number,
    stride: number,
  ): void;
  scanOne(
    rowsAt: number,
    rows: number,
    queriesAt: number,
    bytes: number,
    scoresAt: number,
    stride: number,
  ): void;
}

let compiled: WebAssembly.Module | undefined;

/** A kernel with a memory of its own of at least `bytes`. */
export function createVectorKernel(bytes: number): VectorKernel {
  compiled ??= new WebAssembly.Module(moduleBytes());
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new WebAssembly.Instance(compiled, { m: { m: memory } });
  return { ...(exports as unknown as Omit<VectorKernel, 'memory'>), memory };
}

const I32 = 0x7f;
const V128 = 0x7b;

/** Unsigned LEB128, in which the format writes every number here. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}

const list = (items: readonly (readonly number[])[]): number[] => [...number(items.length), ...items.flat()];
const text = (value: string): number[] => list([...Buffer.from(value)].map((byte) => [byte]));
const section = (id: number, body: readonly number[]): number[] => [id, ...number(body.length), ...body];

const get = (local: number): number[] => [0x20, ...number(local)];
const set = (local: number): number[] => [0x21, ...number(local)];
/** At most 63: constants, other than all other numbers, have a sign. */
const constant = (value: number): number[] => [0x41, ...number(value)];
const ADD = [0x6a];
const MULTIPLY = [0x6c];
const LESS = [0x49];
const simd = (code: number): number[] => [0xfd, ...number(code)];
const load = (offset: number): number[] => [...simd(0), 4, ...number(offset)];
const ZERO = [...simd(12), ...new Array<number>(16).fill(0)];
const ADD_LANES = simd(0xe4);
const MULTIPLY_LANES = simd(0xe6);
const lane = (index: number): number[] => [...simd(0x1f), index];
const ADD_FLOATS = [0x92];
const STORE_FLOAT = [0x38, 2, 0];
/** A loop of `body`, repeated while what it leaves on the stack is not 0. */
const loop = (body: readonly number[]): number[] => [0x03, 0x40, ...body, 0x0d, 0, 0x0b];
const advance = (local: number, by: readonly number[]): number[] => [
  ...get(local),
  ...by,
  ...ADD,
  ...set(local),
];

// The parameters of a scan, in order, and its own numbers.
const [ROWS_AT, ROWS, QUERIES_AT, BYTES, SCORES_AT, STRIDE, ROW, AT, TO, ROW_AT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const FIRST_VECTOR = 10;
/** Registers of four floats that one round of the inner loop takes of each vector. */
const UNROLLED = FLOATS_TOGETHER / 4;

/** A scan that holds `queries` × `rows` sums in registers, of which a processor of this kind has sixteen. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the instructions of one WebAssembly function, in the order in which they run
function scan(queries: number, rows: number): number[] {
  const sum = (query: number, row: number): number => FIRST_VECTOR + query * rows + row;
  const rowVector = (row: number): number => FIRST_VECTOR + queries * rows + row;
  const queryVector = FIRST_VECTOR + queries * rows + rows;
  const vectors = queries * rows + rows + 1;
  const each = <T>(count: number, make: (index: number) => readonly T[]): T[] =>
    Array.from({ length: count }, (_, index) => make(index)).flat();
  // Addresses of the other rows and queries of the tile, which lie `bytes` apart each.
  const firstAddress = FIRST_VECTOR + vectors;
  const rowAddress = (row: number): number => (row === 0 ? ROW_AT : firstAddress + row - 1);
  const queryAddress = (query: number): number => (query === 0 ? AT : firstAddress + rows - 1 + query - 1);

  const step = (offset: number): number[] => [
    ...each(rows, (row) => [...get(rowAddress(row)), ...load(offset), ...set(rowVector(row))]),
    ...each(queries, (query) => [
      ...get(queryAddress(query)),
      ...load(offset),
      ...set(queryVector),
      ...each(rows, (row) => [
        ...get(queryVector),
        ...get(rowVector(row)),
        ...MULTIPLY_LANES,
        ...get(sum(query, row)),
        ...ADD_LANES,
        ...set(sum(query, row)),
      ]),
    ]),
  ];
  const body = [
    ...constant(0),
    ...set(ROW),
    ...loop([
      ...each(queries * rows, (index) => [...ZERO, ...set(FIRST_VECTOR + index)]),
      ...get(ROW),
      ...get(BYTES),
      ...MULTIPLY,
      ...get(ROWS_AT),
      ...ADD,
      ...set(ROW_AT),
      ...get(QUERIES_AT),
      ...set(AT),
      ...each(rows - 1, (row) => [
        ...get(rowAddress(row)),
        ...get(BYTES),
        ...ADD,
        ...set(rowAddress(row + 1)),
      ]),
      ...each(queries - 1, (query) => [
        ...get(queryAddress(query)),
        ...get(BYTES),
        ...ADD,
        ...set(queryAddress(query + 1)),
      ]),
      ...get(AT),
      ...get(BYTES),
      ...ADD,
      ...set(TO),
      ...loop([
        ...each(UNROLLED, (n) => step(16 * n)),
        ...each(rows, (row) => advance(rowAddress(row), constant(16 * UNROLLED))),
        ...each(queries, (query) => advance(queryAddress(query), constant(16 * UNROLLED))),
        ...get(AT),
        ...get(TO),
        ...LESS,
      ]),
      ...each(queries * rows, (index) => {
        const query = Math.floor(index / rows);
        return [
          // scores + 4 × (query × stride + row + index of the row in the tile)
          ...get(STRIDE),
          ...constant(query),
          ...MULTIPLY,
          ...get(ROW),
          ...ADD,
          ...constant(index % rows),
          ...ADD,
          ...constant(4),
          ...MULTIPLY,
          ...get(SCORES_AT),
          ...ADD,
          ...each(4, (n) => [...get(FIRST_VECTOR + index), ...lane(n), ...(n === 0 ? [] : ADD_FLOATS)]),
          ...STORE_FLOAT,
        ];
      }),
      ...advance(ROW, constant(rows)),
      ...get(ROW),
      ...get(ROWS),
      ...LESS,
    ]),
    0x0b,
  ];
  const locals = list([
    [...number(4), I32],
    [...number(vectors), V128],
    [...number(rows - 1 + queries - 1), I32],
  ]);
  return [...number(locals.length + body.length), ...locals, ...body];
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const scanType = [0x60, ...list(Array.from({ length: 6 }, () => [I32])), 0];
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([scanType])),
    ...section(2, list([[...text('m'), ...text('m'), 0x02, 0x00, 0]])),
    ...section(3, list([[0], [0]])),
    ...section(
      7,
      list([
        [...text('scanFour'), 0, 0],
        [...text('scanOne'), 0, 1],
      ]),
    ),
    ...section(10, list([scan(QUERIES_TOGETHER, 2), scan(1, ROWS_TOGETHER)])),
  ];
  return Uint8Array.from(bytes);
}

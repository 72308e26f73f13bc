import * as z from 'zod';

/** Weights cannot be merged: repeating would not help. */
export class MergeRefused extends Error {
  override readonly name = 'MergeRefused';
}

const Entry = z.object({
  dtype: z.string(),
  shape: z.array(z.int().min(0)),
  data_offsets: z.tuple([z.int().min(0), z.int().min(0)]),
});
const Header = z.record(z.string(), z.unknown());

export interface Tensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Bytes of the file, the first and the one after the last. */
  readonly from: number;
  readonly to: number;
}

const HEADER_BYTES_MAX = 100 * 1024 * 1024;

/**
 * Bytes of a file of safetensors before its tensors, from its first eight bytes
 * (https://huggingface.co/docs/safetensors/en/index#format).
 * @throws {MergeRefused} if it is none
 */
export function dataStart(beginning: Buffer): number {
  const length = beginning.length < 8 ? 0n : beginning.readBigUInt64LE(0);
  if (length < 2n || length > BigInt(HEADER_BYTES_MAX)) {
    throw new MergeRefused('A file of weights is not in the form of safetensors.');
  }
  return 8 + Number(length);
}

/**
 * The tensors of a file of safetensors, in the order of their bytes.
 * @param head the file's beginning, up to `dataStart`
 * @throws {MergeRefused} if it is none
 */
export function readTensors(head: Buffer): Tensor[] {
  const start = dataStart(head);
  let parsed: Record<string, unknown>;
  try {
    parsed = Header.parse(JSON.parse(head.toString('utf8', 8, start)));
  } catch (cause) {
    throw new MergeRefused('A file of weights is not in the form of safetensors.', { cause });
  }
  const tensors: Tensor[] = [];
  for (const [name, value] of Object.entries(parsed)) {
    if (name === '__metadata__') continue;
    const entry = Entry.safeParse(value);
    if (!entry.success) throw new MergeRefused('A file of weights is not in the form of safetensors.');
    const { dtype, shape, data_offsets: offsets } = entry.data;
    tensors.push({ name, dtype, shape, from: start + offsets[0], to: start + offsets[1] });
  }
  return tensors.sort((one, other) => one.from - other.from);
}

/** How an adapter of PEFT changes a weight: by `scale · B · A`. */
export interface Factors {
  readonly scale: number;
  /** Rank by inputs. */
  readonly a: Float32Array;
  /** Outputs by rank. */
  readonly b: Float32Array;
}

const ELEMENT_BYTES: ReadonlyMap<string, number> = new Map([
  ['BF16', 2],
  ['F16', 2],
  ['F32', 4],
]);

/**
 * Adds what an adapter changes to the part of a weight that lies in `bytes`, in place. The sum is made in single precision and
 * rounded to the weight's own, as `merge_and_unload` of PEFT does.
 * @param at the byte of the file at which `bytes` begins
 * @throws {MergeRefused} if the weight has another form than its adapter
 */
export function mergeInto(bytes: Buffer, at: number, tensor: Tensor, { a, b, scale }: Factors): void {
  const { name, dtype, shape, from, to } = tensor;
  const size = ELEMENT_BYTES.get(dtype);
  const [outputs = 0, inputs = 0, ...rest] = shape;
  const rank = inputs === 0 ? 0 : a.length / inputs;
  const fits = rest.length === 0 && Number.isInteger(rank) && rank > 0 && b.length === outputs * rank;
  if (size === undefined || !fits || to - from !== outputs * inputs * size || (from - at) % size !== 0) {
    throw new MergeRefused(`The weight ${name} of the base model has another form than its adapter.`);
  }
  const first = Math.max(0, Math.ceil((at - from) / size));
  const last = Math.min(outputs * inputs, Math.floor((at + bytes.length - from) / size));
  const change = new Float32Array(inputs);
  const { read, write } = codecOf(dtype, bytes);
  for (let row = Math.floor(first / inputs); row * inputs < last; row += 1) {
    const begin = Math.max(0, first - row * inputs);
    const end = Math.min(inputs, last - row * inputs);
    change.fill(0, begin, end);
    for (let k = 0; k < rank; k += 1) {
      const factor = scale * (b[row * rank + k] ?? 0);
      if (factor === 0) continue;
      const offset = k * inputs;
      for (let column = begin; column < end; column += 1) {
        change[column] = (change[column] ?? 0) + factor * (a[offset + column] ?? 0);
      }
    }
    for (let column = begin; column < end; column += 1) {
      const place = from - at + (row * inputs + column) * size;
      write(place, read(place) + (change[column] ?? 0));
    }
  }
}

/** The values of a tensor in single precision. @throws {MergeRefused} for another type than floats */
export function toFloats(bytes: Buffer, dtype: string): Float32Array {
  const size = ELEMENT_BYTES.get(dtype);
  if (size === undefined) throw new MergeRefused(`The adapter has values of the type ${dtype}.`);
  const { read } = codecOf(dtype, bytes);
  return Float32Array.from({ length: Math.floor(bytes.length / size) }, (_, n) => read(n * size));
}

interface Codec {
  read(place: number): number;
  write(place: number, value: number): void;
}

function codecOf(dtype: string, bytes: Buffer): Codec {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (dtype === 'F32') {
    return {
      read: (place) => view.getFloat32(place, true),
      write: (place, value) => view.setFloat32(place, value, true),
    };
  }
  const scratch = new DataView(new ArrayBuffer(4));
  if (dtype === 'BF16') {
    return {
      read(place) {
        scratch.setUint32(0, view.getUint16(place, true) << 16);
        return scratch.getFloat32(0);
      },
      write(place, value) {
        scratch.setFloat32(0, value);
        const bits = scratch.getUint32(0);
        // To the nearest, and to the even one of two; a NaN stays one.
        const isNaN_ = (bits & 0x7fffffff) > 0x7f800000;
        const rounded = isNaN_ ? (bits >>> 16) | 0x40 : (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
        view.setUint16(place, rounded & 0xffff, true);
      },
    };
  }
  return {
    read: (place) => fromHalf(view.getUint16(place, true)),
    write: (place, value) => view.setUint16(place, toHalf(value, scratch), true),
  };
}

/** Half precision of IEEE 754, which JavaScript gets with a later version than the one that functions run on. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function toHalf(value: number, scratch: DataView): number {
  scratch.setFloat32(0, value);
  const sign = (scratch.getUint32(0) >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return sign | 0x7e00;
  // Beyond the largest value by half a step or more.
  if (size >= 65_520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const step = 2 ** (exponent - 10);
  const whole = roundToEven(size / step);
  if (size === 0 || whole === 0) return sign;
  // A carry to the next power of two is the next exponent.
  const bits = whole < 1024 ? whole : whole - 1024 + ((exponent + 15) << 10);
  return sign | bits;
}

function roundToEven(value: number): number {
  const down = Math.floor(value);
  const over = value - down;
  if (over !== 0.5) return Math.round(value);
  return down % 2 === 0 ? down : down + 1;
}

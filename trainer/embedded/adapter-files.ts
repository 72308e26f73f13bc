import type { Adapter } from './adapter.ts';
import { RefusedError } from './errors.ts';
import { checkpointNames, ggufNames, type Projection } from './network-shape.ts';
import { toGgufRows } from './rope-rows.ts';

interface NamedTensor {
  readonly name: string;
  /** Row-major. */
  readonly shape: readonly [number, number];
  readonly values: Float32Array;
}

/** `adapter_config.json` in PEFT's format. */
export function adapterConfig(
  { settings }: Adapter,
  { baseModel, dropout }: { baseModel: string; dropout: number },
): unknown {
  return {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: baseModel,
    inference_mode: true,
    r: settings.rank,
    lora_alpha: settings.alpha,
    lora_dropout: dropout,
    target_modules: settings.modules.map((projection) => moduleName(projection)),
    bias: 'none',
    fan_in_fan_out: false,
    init_lora_weights: true,
    modules_to_save: null,
  };
}

/** The name of a linear map without its layer, as in `lora_trainable_modules`. */
export function moduleName(projection: Projection): string {
  return checkpointNames[projection].split('.').at(-1) ?? '';
}

/** `adapter_model.safetensors` in PEFT's format. */
export function renderSafetensors(adapter: Adapter): Buffer {
  const entries: Record<string, unknown> = {};
  const values: Float32Array[] = [];
  let offset = 0;
  for (const tensor of tensorsOf(adapter)) {
    const end = offset + tensor.values.byteLength;
    entries[tensor.name] = { dtype: 'F32', shape: tensor.shape, data_offsets: [offset, end] };
    values.push(tensor.values);
    offset = end;
  }
  const text = JSON.stringify({ __metadata__: { format: 'pt' }, ...entries });
  const header = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...values.map(bytesOfValues)]);
}

/**
 * Sets an adapter to the weights of an `adapter_model.safetensors` in single precision.
 * @throws {RefusedError} if its modules or rank differ.
 */
export function readSafetensors(adapter: Adapter, file: Buffer): void {
  const length = file.length < 8 ? 0 : Number(file.readBigUInt64LE(0));
  let header: Record<string, { dtype?: string; shape?: number[]; data_offsets?: [number, number] }>;
  try {
    header = JSON.parse(file.toString('utf8', 8, 8 + length));
  } catch {
    throw new RefusedError('The initial adapter is no safetensors file.');
  }
  const names = new Set(Object.keys(header).filter((name) => name !== '__metadata__'));
  for (const { layer, projection, a, b } of adapter.factors()) {
    for (const part of ['A', 'B'] as const) {
      const name = tensorName(layer, projection, part);
      const entry = header[name];
      const into = part === 'A' ? a : b;
      const [from = 0, end = 0] = entry?.data_offsets ?? [];
      const rows = part === 'A' ? adapter.settings.rank : b.length / adapter.settings.rank;
      if (entry?.dtype !== 'F32' || entry.shape?.[0] !== rows || end - from !== into.byteLength) {
        throw new RefusedError(
          `The initial adapter has no ${name} of ${rows} rows in single precision: give one of the job’s rank and modules.`,
        );
      }
      names.delete(name);
      const bytes = file.subarray(8 + length + from, 8 + length + end);
      const values = Float32Array.from({ length: into.length }, (_, index) => bytes.readFloatLE(index * 4));
      into.set(part === 'A' ? values : transpose(values, rows));
    }
  }
  if (names.size > 0) throw new RefusedError('The initial adapter has modules that the job does not train.');
}

const ggufAlignment = 32;
const ggufText = 8;
const ggufFloat = 6;

/** The adapter in llama.cpp's format: a GGUF file, version 3, of the same update in llama.cpp's order of rows. */
export function renderGguf(adapter: Adapter): Buffer {
  const { rank, alpha } = adapter.settings;
  const tensors = [...adapter.factors()].flatMap(({ layer, projection, a, b }): NamedTensor[] => {
    const name = `blk.${layer}.${ggufNames[projection]}.weight`;
    const rows = toGgufRows(adapter.shape, projection, transpose(b, rank));
    return [
      { name: `${name}.lora_a`, shape: [rank, a.length / rank], values: a },
      { name: `${name}.lora_b`, shape: [b.length / rank, rank], values: rows },
    ];
  });
  const facts: readonly (readonly [string, string | number])[] = [
    ['general.architecture', 'llama'],
    ['general.type', 'adapter'],
    ['adapter.type', 'lora'],
    ['adapter.lora.alpha', alpha],
  ];
  const parts: Buffer[] = [Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(facts.length)];
  for (const [key, value] of facts) {
    parts.push(ggufString(key));
    if (typeof value === 'string') parts.push(uint32(ggufText), ggufString(value));
    else parts.push(uint32(ggufFloat), float32(value));
  }
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    const dimensions = [...shape].reverse().map(uint64);
    parts.push(ggufString(name), uint32(shape.length), ...dimensions, uint32(0), uint64(offset));
    offset += align(values.byteLength);
  }
  const headed = Buffer.concat(parts);
  const body = tensors.flatMap(({ values }) => {
    const bytes = bytesOfValues(values);
    return [bytes, Buffer.alloc(align(bytes.length) - bytes.length)];
  });
  return Buffer.concat([headed, Buffer.alloc(align(headed.length) - headed.length), ...body]);
}

function tensorsOf(adapter: Adapter): NamedTensor[] {
  const { rank } = adapter.settings;
  return [...adapter.factors()].flatMap(({ layer, projection, a, b }): NamedTensor[] => [
    { name: tensorName(layer, projection, 'A'), shape: [rank, a.length / rank], values: a },
    { name: tensorName(layer, projection, 'B'), shape: [b.length / rank, rank], values: transpose(b, rank) },
  ]);
}

function tensorName(layer: number, projection: Projection, part: 'A' | 'B'): string {
  return `base_model.model.model.layers.${layer}.${checkpointNames[projection]}.lora_${part}.weight`;
}

/** Transposes a row-major matrix with `rows` rows. */
function transpose(values: Float32Array, rows: number): Float32Array {
  const columns = values.length / rows;
  const result = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      result[column * rows + row] = values[row * columns + column] ?? 0;
    }
  }
  return result;
}

function align(bytes: number): number {
  return Math.ceil(bytes / ggufAlignment) * ggufAlignment;
}

function ggufString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

/** Every platform with a model server is little-endian, like the files. */
function bytesOfValues(values: Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

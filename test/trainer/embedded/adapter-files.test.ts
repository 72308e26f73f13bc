import { expect, test } from 'vitest';
import { Adapter } from '#trainer/embedded/adapter.ts';
import {
  adapterConfig,
  readSafetensors,
  renderGguf,
  renderSafetensors,
} from '#trainer/embedded/adapter-files.ts';
import { RefusedError } from '#trainer/embedded/errors.ts';
import { projections } from '#trainer/embedded/network-shape.ts';
import { createRandom } from '#trainer/embedded/random.ts';
import { fromGgufRows, toGgufRows } from '#trainer/embedded/rope-rows.ts';
import { tinyShape } from './tiny-network.ts';

test('what is written as safetensors is read as it was', () => {
  const adapter = randomAdapter();
  const other = new Adapter(tinyShape, adapter.settings);
  readSafetensors(other, renderSafetensors(adapter));
  expect(other.parameters).toEqual(adapter.parameters);
});

test('an adapter of another rank, of other modules or of no such file is refused', () => {
  const file = renderSafetensors(randomAdapter());
  for (const settings of [
    { rank: 2, alpha: 6, modules: projections },
    { rank: 3, alpha: 6, modules: ['q'] as const },
  ]) {
    expect(() => readSafetensors(new Adapter(tinyShape, settings), file)).toThrow(RefusedError);
  }
  expect(() => readSafetensors(randomAdapter(), Buffer.from('no such file'))).toThrow(RefusedError);
});

test('PEFT is told the names that its modules have', () => {
  expect(adapterConfig(randomAdapter(), { baseModel: 'base', dropout: 0.1 })).toMatchObject({
    r: 3,
    lora_alpha: 6,
    lora_dropout: 0.1,
    base_model_name_or_path: 'base',
    target_modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
  });
});

test('both files describe the same update, each in its own order of rows', () => {
  const adapter = randomAdapter();
  const peft = parseSafetensors(renderSafetensors(adapter));
  const gguf = parseGguf(renderGguf(adapter));
  expect(gguf.tensors.size).toBe(tinyShape.layers * 7 * 2);
  for (const [ggufName, peftName, projection] of [
    ['attn_q', 'self_attn.q_proj', 'q'],
    ['attn_k', 'self_attn.k_proj', 'k'],
    ['attn_output', 'self_attn.o_proj', 'o'],
    ['ffn_down', 'mlp.down_proj', 'down'],
  ] as const) {
    const update = multiply(
      gguf.tensors.get(`blk.1.${ggufName}.weight.lora_b`),
      gguf.tensors.get(`blk.1.${ggufName}.weight.lora_a`),
    );
    const expected = multiply(
      peft.get(`base_model.model.model.layers.1.${peftName}.lora_B.weight`),
      peft.get(`base_model.model.model.layers.1.${peftName}.lora_A.weight`),
    );
    expect(fromGgufRows(tinyShape, projection, update)).toEqual(expected);
    if (projection === 'q' || projection === 'k') expect(update).not.toEqual(expected);
  }
  expect(gguf.text).toContain('adapter.lora.alpha');
});

test('the rows of a head go to the places where llama.cpp turns them', () => {
  const rows = Float32Array.from({ length: 16 }, (_, row) => row);
  const shape = { ...tinyShape, heads: 2, headWidth: 8, keyValueHeads: 2 };
  expect([...toGgufRows(shape, 'q', rows)]).toEqual([0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15]);
  expect(fromGgufRows(shape, 'q', toGgufRows(shape, 'q', rows))).toEqual(rows);
  expect(toGgufRows(shape, 'v', rows)).toEqual(rows);
});

function randomAdapter(): Adapter {
  const adapter = new Adapter(tinyShape, { rank: 3, alpha: 6, modules: projections });
  const random = createRandom(1);
  for (const index of adapter.parameters.keys()) adapter.parameters[index] = random() - 0.5;
  return adapter;
}

interface Matrix {
  readonly rows: number;
  readonly values: Float32Array;
}

function parseSafetensors(file: Buffer): Map<string, Matrix> {
  const length = Number(file.readBigUInt64LE(0));
  const { __metadata__: _, ...header } = JSON.parse(file.toString('utf8', 8, 8 + length)) as Record<
    string,
    { shape: [number, number]; data_offsets: [number, number] }
  >;
  return new Map(
    Object.entries(header).map(
      ([
        name,
        {
          shape,
          data_offsets: [from, to],
        },
      ]) => [name, { rows: shape[0], values: floats(file.subarray(8 + length + from, 8 + length + to)) }],
    ),
  );
}

/** Reads the file as its specification says, apart from the code that writes it. */
function parseGguf(file: Buffer): { text: string; tensors: Map<string, Matrix> } {
  let at = 4;
  const skip = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  const uint32 = () => file.readUInt32LE(skip(4));
  const uint64 = () => Number(file.readBigUInt64LE(skip(8)));
  const text = () => {
    const length = uint64();
    const from = skip(length);
    return file.toString('utf8', from, from + length);
  };
  expect([file.toString('utf8', 0, 4), uint32()]).toEqual(['GGUF', 3]);
  const [tensorCount, factCount] = [uint64(), uint64()];
  const facts = Array.from({ length: factCount }, () => {
    const key = text();
    return uint32() === 8 ? `${key}=${text()}` : `${key}=${file.readFloatLE(skip(4))}`;
  });
  const entries = Array.from({ length: tensorCount }, () => {
    const name = text();
    const dimensions = Array.from({ length: uint32() }, uint64);
    expect(uint32()).toBe(0);
    return { name, dimensions, offset: uint64() };
  });
  const start = Math.ceil(at / 32) * 32;
  const tensors = entries.map(({ name, dimensions: [columns = 0, rows = 0], offset }) => {
    const from = start + offset;
    return [name, { rows, values: floats(file.subarray(from, from + columns * rows * 4)) }] as const;
  });
  return { text: facts.join('\n'), tensors: new Map(tensors) };
}

function floats(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function multiply(left: Matrix | undefined, right: Matrix | undefined): Float32Array {
  if (left === undefined || right === undefined) throw new Error('A tensor is missing.');
  const columns = right.values.length / right.rows;
  return Float32Array.from({ length: left.rows * columns }, (_, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    let sum = 0;
    for (let inner = 0; inner < right.rows; inner += 1) {
      sum += (left.values[row * right.rows + inner] ?? 0) * (right.values[inner * columns + column] ?? 0);
    }
    return sum;
  });
}

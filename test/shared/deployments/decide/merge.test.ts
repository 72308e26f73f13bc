import { describe, expect, test } from 'vitest';
import {
  dataStart,
  type Factors,
  mergeInto,
  readTensors,
  type Tensor,
  toFloats,
} from '#shared/deployments/decide/merge.ts';
import { bfloats, floats, safetensors } from '#test/helpers/safetensors.ts';

/** Numbers that repeat, of few digits. */
const numbers = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, n) => (((n * 37 + seed * 11) % 41) - 20) / 16);

const OUTPUTS = 6;
const INPUTS = 5;
const RANK = 2;
const WEIGHT = numbers(OUTPUTS * INPUTS, 1);
const A = numbers(RANK * INPUTS, 2);
const B = numbers(OUTPUTS * RANK, 3);
const factors: Factors = { scale: 0.5, a: Float32Array.from(A), b: Float32Array.from(B) };

const expected = WEIGHT.map((value, n) => {
  const row = Math.floor(n / INPUTS);
  let change = 0;
  for (let k = 0; k < RANK; k += 1) change += (B[row * RANK + k] ?? 0) * (A[k * INPUTS + (n % INPUTS)] ?? 0);
  return value + 0.5 * change;
});

const tensorOf = (file: Buffer): Tensor => {
  const found = readTensors(file).find(({ name }) => name === 'w.weight');
  if (found === undefined) throw new Error('no tensor');
  return found;
};

/** The values of the weight after its file was merged in pieces of so many bytes. */
function mergedIn(bytes: number, file: Buffer): number[] {
  const tensor = tensorOf(file);
  const merged = Buffer.concat(
    Array.from({ length: Math.ceil(file.length / bytes) }, (_, n) => {
      const part = Buffer.from(file.subarray(n * bytes, (n + 1) * bytes));
      if (tensor.to > n * bytes && tensor.from < n * bytes + part.length)
        mergeInto(part, n * bytes, tensor, factors);
      return part;
    }),
  );
  expect(merged.subarray(0, tensor.from)).toEqual(file.subarray(0, tensor.from));
  expect(merged.subarray(tensor.to)).toEqual(file.subarray(tensor.to));
  return [...toFloats(merged.subarray(tensor.from, tensor.to), tensor.dtype)];
}

const rest = { 'other.weight': floats([3], [1, 2, 3]) };

describe('an adapter', () => {
  test.each([8, 16, 40, 64, 100_000])(
    'an adapter is added to a weight whatever parts of %i bytes the file comes in',
    (bytes) => {
      const file = safetensors({
        'a.bias': floats([2], [5, 6]),
        'w.weight': floats([OUTPUTS, INPUTS], WEIGHT),
        ...rest,
      });

      const merged = mergedIn(bytes, file);

      for (const [n, value] of merged.entries()) expect(value).toBeCloseTo(expected[n] ?? Number.NaN, 6);
    },
  );

  test('an adapter is added to a weight in half the precision, rounded to the nearest value', () => {
    const file = safetensors({ 'w.weight': bfloats([OUTPUTS, INPUTS], WEIGHT), ...rest });

    const merged = mergedIn(64, file);

    for (const [n, value] of merged.entries()) {
      const wanted = expected[n] ?? Number.NaN;
      expect(Math.abs(value - wanted)).toBeLessThanOrEqual(Math.abs(wanted) * 2 ** -8);
    }
  });

  test.each([
    ['to the even one of two', 1 + 2 ** -8, 1],
    ['up from above the middle', 1 + 2 ** -8 + 2 ** -16, 1 + 2 ** -7],
    ['down from below the middle', 1 + 2 ** -8 - 2 ** -16, 1],
  ])('an adapter leaves a sum that is rounded %s', (_, sum, wanted) => {
    const file = safetensors({ 'w.weight': bfloats([1, 1], [1]) });
    const tensor = tensorOf(file);

    mergeInto(file, 0, tensor, { scale: 1, a: Float32Array.of(sum - 1), b: Float32Array.of(1) });

    expect([...toFloats(file.subarray(tensor.from, tensor.to), 'BF16')]).toEqual([wanted]);
  });

  test.each([
    [0, 0],
    [1.5, 1.5],
    [-2.25, -2.25],
    [65_504, 65_504],
    [70_000, Number.POSITIVE_INFINITY],
    [2 ** -24, 2 ** -24],
    [2 ** -26, 0],
    [1 + 2 ** -11, 1],
    [2047.5, 2048],
  ])('an adapter makes %d of a sum in F16 into %d', (sum, wanted) => {
    const file = safetensors({ 'w.weight': { dtype: 'F16', shape: [1, 1], bytes: Buffer.alloc(2) } });
    const tensor = tensorOf(file);

    mergeInto(file, 0, tensor, { scale: 1, a: Float32Array.of(sum), b: Float32Array.of(1) });

    expect(toFloats(file.subarray(tensor.from, tensor.to), 'F16')[0]).toBe(wanted);
  });

  test('an adapter of another size than its weight is refused', () => {
    const file = safetensors({
      'w.weight': floats([OUTPUTS + 1, INPUTS], numbers((OUTPUTS + 1) * INPUTS, 1)),
    });

    expect(() => mergeInto(file, 0, tensorOf(file), factors)).toThrow(/w\.weight .* another form/);
  });

  test('an adapter is not added to a quantized weight', () => {
    const file = safetensors({
      'w.weight': { dtype: 'U8', shape: [OUTPUTS, INPUTS], bytes: Buffer.alloc(30) },
    });

    expect(() => mergeInto(file, 0, tensorOf(file), factors)).toThrow(/another form/);
    expect(() => toFloats(Buffer.alloc(4), 'I32')).toThrow(/I32/);
  });
});

describe('a file of weights', () => {
  test.each([
    ['is empty', Buffer.alloc(0)],
    ['says that its header is endless', Buffer.alloc(16, 0xff)],
    ['has a header that is no JSON', Buffer.from([4, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7b, 0x7b, 0x7b])],
    [
      'has tensors without a type',
      safetensors({ w: { dtype: 1 as never, shape: [1], bytes: Buffer.alloc(4) } }),
    ],
  ])('a file of weights that %s is refused', (_, file) => {
    expect(() => readTensors(file)).toThrow('not in the form of safetensors');
  });

  test('a file of weights tells where its tensors begin by its first eight bytes', () => {
    const file = safetensors({ w: floats([1], [1]) });

    expect(dataStart(file.subarray(0, 8))).toBe(file.length - 4);
  });
});

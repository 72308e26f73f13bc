import { expect, test } from 'vitest';
import { bytesOf, dequantize } from '#trainer/embedded/dequantize.ts';

/** 0.5 and -3 in half precision. */
const half = [0x00, 0x38];
const minusThree = [0x00, 0xc2];
const nibbles = Array.from({ length: 16 }, (_, index) => index | ((15 - index) << 4));

test.each([
  ['single precision', 0, [0, 0, 0x20, 0x41], [10]],
  ['half precision', 1, [...half, ...minusThree], [0.5, -3]],
  [
    'Q4_0',
    2,
    [...half, ...nibbles],
    [...nibbles.map((_, index) => (index - 8) / 2), ...nibbles.map((_, index) => (7 - index) / 2)],
  ],
  [
    'Q4_1',
    3,
    [...half, ...minusThree, ...nibbles],
    [...nibbles.map((_, index) => index / 2 - 3), ...nibbles.map((_, index) => (15 - index) / 2 - 3)],
  ],
  [
    'Q8_0',
    8,
    [...half, ...Array.from({ length: 32 }, (_, index) => (index - 16) & 255)],
    Array.from({ length: 32 }, (_, index) => (index - 16) / 2),
  ],
])('weights in %s are the values that they stand for', (_, type, bytes, values) => {
  expect([...dequantize(type, Uint8Array.from(bytes))]).toEqual(values);
  expect(bytesOf(type, values.length)).toBe(bytes.length);
});

test('weights of another type are refused', () => {
  expect(() => dequantize(12, new Uint8Array(144))).toThrow('ggml type 12 cannot be trained on');
});

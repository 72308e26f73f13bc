import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, sha256Hex, shareCanonical } from '#shared/platform/canonical-json.ts';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each)]),
  );
};

test('equal values have one text, whatever the order of their keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('the order of a list counts, an undefined key does not', () => {
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
});

/** By `JSON.stringify` alone: what stored keys and hashes were made of. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

test('the text of any value is that of JSON.stringify with sorted keys', () => {
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom('toJSON', '__proto__', '1', '10', '02', '-1', 'B', 'a', 'é'),
  );
  const value = fc.anything({
    key,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(value, (any) => {
      expect(canonicalJson(any)).toBe(sorted(any));
    }),
    {
      numRuns: 1000,
      examples: [
        [undefined],
        [{ 10: 1, 9: 2, a: undefined, b: [undefined, () => 1, Number.NaN, -0] }],
        [{ a: { toJSON: () => ({ z: 1, b: 2 }) }, b: { toJSON: 3 } }],
        [Object.assign(Object.create({ toJSON: () => 7 }), { a: 1 })],
        [{ text: '\ud83d', f: () => 1 }],
      ],
    },
  );
});

test('the text of a value hashes as SHA-256', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a shared object has the same text wherever it is, and cannot change', () => {
  const turn = { role: 'user', content: 'Say "é".\n' };
  const text = canonicalJson({ z: [turn, 1], a: turn });

  const shared = shareCanonical(turn);

  expect(canonicalJson({ z: [shared, 1], a: shared })).toBe(text);
  expect(canonicalJson(shared)).toBe(canonicalJson({ ...turn }));
  expect(() => Object.assign(shared, { content: 'No.' })).toThrow(TypeError);
});

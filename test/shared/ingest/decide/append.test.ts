import { expect, test } from 'vitest';
import { misfit, problemOf } from '#shared/ingest/decide/append.ts';

test.each(['TINYINT', 'INTEGER', 'UINTEGER', 'BIGINT', 'FLOAT', 'DOUBLE', 'DECIMAL(10,2)'])(
  'a column of %s takes numbers, and no text',
  (type) => {
    expect(problemOf(4, { name: 'n', type })).toBeNull();
    expect(problemOf(null, { name: 'n', type })).toBeNull();
    expect(problemOf('4', { name: 'n', type })).toBe('is text, and the column holds numbers');
  },
);

test('a column of a type that only Parquet has takes values in the form in which its cells are shown', () => {
  expect(problemOf('2020-01-01 00:00:00', { name: 'at', type: 'TIMESTAMP' })).toBeNull();
  expect(problemOf(['a', null], { name: 'tags', type: 'VARCHAR[]' })).toBeNull();
  expect(problemOf('2020-01-01', { name: 'at', type: 'TIMESTAMP' })).toBe(
    'is not in the form in which cells of TIMESTAMP are shown',
  );
});

test.each([
  ['DOUBLE', Infinity],
  ['JSON', { a: [Infinity] }],
  ['JSON', [2 ** 60]],
  ['DOUBLE[]', [-Infinity]],
])(
  'a column of %s takes no number that JSON does not keep, which is infinite once it is parsed',
  (type, value) => {
    expect(problemOf(value, { name: 'n', type })).toContain('is a number that JSON does not keep exactly');
  },
);

test('a column of JSON takes no value that is nested deeper than in a file', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
  expect(problemOf(nested(500), { name: 'n', type: 'JSON' })).toBeNull();
  expect(problemOf(nested(100_000), { name: 'n', type: 'JSON' })).toBe('is nested more than 500 levels deep');
});

test('a misfit in a column with a long name has a short error', () => {
  const { message, details } = misfit(3, 'n'.repeat(1_000_000), 'is text');

  expect(message.length).toBeLessThan(1_000);
  expect(JSON.stringify(details).length).toBeLessThan(1_000);
});

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

test('a column of times takes no value of a request', () => {
  expect(problemOf('2020-01-01', { name: 'at', type: 'TIMESTAMP' })).toBe(
    'is text, and the column holds TIMESTAMP',
  );
});

test('a misfit in a column with a long name has a short error', () => {
  const { message, details } = misfit(3, 'n'.repeat(1_000_000), 'is text');

  expect(message.length).toBeLessThan(1_000);
  expect(JSON.stringify(details).length).toBeLessThan(1_000);
});

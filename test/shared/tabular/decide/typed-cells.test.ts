import { expect, test } from 'vitest';
import { isCellOf } from '#shared/tabular/decide/typed-cells.ts';

test.each([
  ['DATE', '2024-02-29'],
  ['TIME', '23:59:59.5'],
  ['TIMESTAMP', '2024-02-29 10:11:12'],
  ['TIMESTAMP WITH TIME ZONE', '2024-02-29 10:11:12.5+00'],
  ['INTERVAL', '1 year 2 months -3 days 00:00:01'],
  ['BLOB', 'qgBhYg=='],
  ['VARCHAR[]', ['a', null]],
  ['INTEGER[2]', [1, 2]],
  ['STRUCT("a, b" VARCHAR, c INTEGER[])', { 'a, b': 'x', c: [1] }],
  ['STRUCT("say ""hi""" BOOLEAN)[]', [{ 'say "hi"': true }, null]],
  ['MAP(INTEGER, STRUCT(at DATE))', { '7': { at: '2024-01-01' } }],
  ['DECIMAL(18,4)[]', ['1.5']],
  ['DECIMAL(4,2)[]', [12.5]],
  ['JSON[]', [{ any: [1, 'thing'] }]],
])('a cell of %s is %j', (type, value) => {
  expect(isCellOf(value, type)).toBe(true);
  expect(isCellOf(null, type)).toBe(true);
});

test.each([
  ['DATE', '2023-02-29'],
  ['DATE', 20240229],
  ['TIME', '24:00:01'],
  ['TIMESTAMP', '2024-02-29T10:11:12Z'],
  ['TIMESTAMP', '2024-13-01 10:11:12'],
  ['TIMESTAMP_S', '2024-02-29 10:11:12.5'],
  ['TIMESTAMP WITH TIME ZONE', '2024-02-29 10:11:12'],
  ['INTERVAL', ''],
  ['UUID', 'no id'],
  ['BLOB', '!'],
  ['VARCHAR[]', 'a'],
  ['VARCHAR[]', [1]],
  ['INTEGER[2]', [1]],
  ['UTINYINT[]', [256]],
  ['STRUCT(a VARCHAR, b INTEGER)', { a: 'x' }],
  ['STRUCT(a VARCHAR)', { a: 'x', b: 1 }],
  ['STRUCT(a VARCHAR)', ['x']],
  ['MAP(INTEGER, DATE)', { seven: '2024-01-01' }],
  ['DECIMAL(18,4)[]', ['1.50001']],
  ['DECIMAL(4,2)[]', [123.4]],
  ['DOUBLE[]', ['1']],
])('a cell of %s is not %j', (type, value) => {
  expect(isCellOf(value, type)).toBe(false);
});

test.each(['VARCHAR', 'BIGINT', 'JSON', 'UNION(a INTEGER)', 'STRUCT(a NOTHING)'])(
  'of %s nothing is said',
  (type) => {
    expect(isCellOf('2024-01-01', type)).toBeNull();
  },
);

test.each([
  ['lists', 'BIGINT', '[]', ''],
  ['structs', '', 'STRUCT(a ', 'BIGINT'],
  ['maps', '', 'MAP(VARCHAR, ', 'BIGINT'],
] as const)('a type of %s without end is not known, and found so at once', (_, before, level, after) => {
  for (const levels of [50, 5000, 100_000]) {
    const text = `${before}${level.repeat(levels)}${after}${after === '' ? '' : ')'.repeat(levels)}`;
    const startedAt = process.cpuUsage();

    const found = isCellOf({ a: 1 }, text);

    const { user } = process.cpuUsage(startedAt);
    expect(found === true).toBe(false);
    expect(user).toBeLessThan(200_000);
  }
});

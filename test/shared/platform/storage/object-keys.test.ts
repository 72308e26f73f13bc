import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { objectKeys, safeFileName } from '#shared/platform/storage/object-keys.ts';

test.each([
  ['tickets.csv', 'tickets.csv'],
  ['My tickets (final).csv', 'My_tickets_final_.csv'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'file'],
  ['', 'file'],
  ['日本語.csv', '_.csv'],
  ['a"b\r\nc.csv', 'a_b_c.csv'],
])('the name %j is stored as %j', (name, stored) => {
  expect(safeFileName(name)).toBe(stored);
});

test('whatever a name is, it stands in a key, a URL and a header as it is, and leads nowhere else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const safe = safeFileName(name);

      expect(safe).toMatch(/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,119}$/);
      expect(encodeURIComponent(safe)).toBe(safe);
    }),
  );
});

test('a name that is cut keeps its end, which says the format', () => {
  expect(safeFileName(`${'x'.repeat(300)}.parquet`)).toMatch(/^x+\.parquet$/);
});

test('every key lies below a prefix that grants are made for', () => {
  const prefixes = Object.values(bucketPrefixes);
  const keys = [
    objectKeys.upload('t', 'd', 'f'),
    objectKeys.raw('d', 'f'),
    objectKeys.manifest('d'),
    objectKeys.rows('d', 1),
    objectKeys.dataset('d'),
    objectKeys.runRequest('r'),
    objectKeys.plan('r'),
    objectKeys.checkpoints('r', 1),
    objectKeys.result('r', 1),
    objectKeys.report('r'),
    objectKeys.reportRows('r', 1),
    objectKeys.evaluation('r'),
    objectKeys.export('d', 'r', 'csv'),
    objectKeys.mappedExport('d', 'r', 'openai', 'm'),
    objectKeys.exports('d'),
  ];

  for (const key of keys)
    expect(
      prefixes.some((prefix) => key.startsWith(prefix)),
      key,
    ).toBe(true);
});

test('keys of numbered objects sort by their number', () => {
  const numbers = [0, 9, 10, 99, 100, 999_999];

  for (const key of [objectKeys.rows, objectKeys.result, objectKeys.checkpoints]) {
    const keys = numbers.map((n) => key('id', n));
    expect([...keys].sort()).toEqual(keys);
  }
});

test('one run’s prefix holds no other run', () => {
  expect(objectKeys.run('run-1').startsWith(objectKeys.run('run-'))).toBe(false);
  expect(objectKeys.result('run-1', 0).startsWith(objectKeys.run('run-1'))).toBe(true);
  expect(objectKeys.result('run-10', 0).startsWith(objectKeys.run('run-1'))).toBe(false);
});

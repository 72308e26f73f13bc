import { expect, test } from 'vitest';
import { requireIndexable } from '#shared/exports/decide/row-index/indexable.ts';

const manifest = (row_count: number, bytes: number) => ({
  row_count,
  chunks: [{ key: 'a', first_row: 0, row_count, bytes }],
});

test.each([
  [manifest(20_000_000, 2 ** 30), 0],
  [manifest(10_000_000, 2 ** 29), 10_000_000],
  [{ row_count: 0, chunks: [] }, 0],
])('rows that one function can index are let through', (rows, added) => {
  expect(() => requireIndexable(rows, added)).not.toThrow();
});

test.each([
  [manifest(20_000_001, 1), 0],
  [manifest(1, 2 ** 30 + 1), 0],
  [manifest(10_000_000, 1), 10_000_001],
  [manifest(10, 2 ** 29), 11],
])('more rows or text are refused, with those that a run adds', (rows, added) => {
  expect(() => requireIndexable(rows, added)).toThrow(expect.objectContaining({ code: 'dataset_too_large' }));
});

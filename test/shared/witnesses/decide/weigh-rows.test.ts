import { expect, test } from 'vitest';
import { DOUBTED_ROWS_MAX, weighRows } from '#shared/witnesses/decide/weigh-rows.ts';

const damaged = (count: number, rows: number) =>
  Array.from({ length: rows }, (_, row) => ({
    row,
    findings:
      row % (rows / count) === 0
        ? [{ witness: 'program', says: 'wrong', kind: 'debris', reason: 'It has debris.' } as const]
        : [],
  }));

test('doubted rows that are not listed are counted, and those that are come from everywhere', () => {
  const { rows, not_listed, share_wrong, silent } = weighRows(damaged(10_000, 40_000), 'a dataset');

  expect([rows.length, not_listed]).toEqual([DOUBTED_ROWS_MAX, 5000]);
  expect(rows.filter(({ row }) => row >= 20_000).length).toBeGreaterThan(2300);
  expect(weighRows(damaged(10_000, 40_000), 'a dataset').rows).toEqual(rows);
  // The listed ones and all others together are wrong as often as all were before.
  const listed = rows.reduce((sum, { probability }) => sum + probability, 0);
  expect((listed + 35_000 * (silent ?? 0)) / 40_000).toBeCloseTo(share_wrong ?? 0, 1);
});

test('the most doubtful rows are listed all, and none is counted beside them where there are few', () => {
  const { rows, not_listed } = weighRows(damaged(DOUBTED_ROWS_MAX, 20_000), 'a dataset');
  const fewer = weighRows(damaged(2500, 20_000), 'a dataset');

  expect([rows.length, not_listed]).toEqual([DOUBTED_ROWS_MAX, 0]);
  expect([fewer.rows.length, fewer.not_listed]).toEqual([2500, 0]);
});

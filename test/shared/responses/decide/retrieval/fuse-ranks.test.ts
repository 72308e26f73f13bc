import { expect, it } from 'vitest';
import { fuseRanks } from '#shared/responses/decide/retrieval/fuse-ranks.ts';

const ranking = (...rows: number[]) => rows.map((row, n) => ({ row, score: 100 - n }));

it('the fusion of rankings adds the reciprocals of 60 and the ranks, as a share of the most that there can be', () => {
  const fused = fuseRanks([ranking(7, 3, 5), ranking(3, 9)], 10);
  const most = 2 / 61;
  expect(fused.map(({ row }) => row)).toEqual([3, 7, 9, 5]);
  expect(fused[0]?.score).toBeCloseTo((1 / 62 + 1 / 61) / most, 12);
  expect(fused[1]?.score).toBeCloseTo(1 / 61 / most, 12);
  expect(fused[3]?.score).toBeCloseTo(1 / 63 / most, 12);
});

it('the fusion of rankings scores a row that is the first everywhere with 1', () => {
  expect(fuseRanks([ranking(4, 1), ranking(4)], 1)).toEqual([{ row: 4, score: 1 }]);
  expect(fuseRanks([ranking(4, 1)], 1)).toEqual([{ row: 4, score: 1 }]);
});

it('the fusion of rankings puts the lower row first among equals', () => {
  expect(fuseRanks([ranking(9), ranking(2)], 2).map(({ row }) => row)).toEqual([2, 9]);
});

it('the fusion of rankings finds nothing where nothing is ranked', () => {
  expect(fuseRanks([[], []], 3)).toEqual([]);
});

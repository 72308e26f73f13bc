import { expect, it } from 'vitest';
import { binsOf, extremesOf, placeOn, scaleAround } from '../../../console/src/evaluation/scales.ts';

it('placeOn puts a value on its axis, and one beyond it at its end', () => {
  expect([0, 5, 10, -3, 12].map((value) => placeOn([0, 10], value))).toEqual([0, 0.5, 1, 0, 1]);
  expect(placeOn([-2, 2], 1)).toBe(0.75);
  expect(placeOn([3, 3], 3)).toBe(0);
});

it('binsOf counts every score once, the highest in the last bin', () => {
  expect(binsOf([0, 0.99, 1, 9.5, 10])).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
  expect(binsOf([])).toEqual(new Array(10).fill(0));
});

it('scaleAround has zero in its middle and holds every value', () => {
  expect(scaleAround([0.2, -0.4])).toEqual([-1, 1]);
  expect(scaleAround([2.7, -0.4])).toEqual([-3, 3]);
});

it('extremesOf names the rows that gained and lost most, and no row that stayed', () => {
  const rows = [
    { row: 1, before: 5, after: 5 },
    { row: 2, before: 5, after: 9 },
    { row: 3, before: 5, after: 6 },
    { row: 4, before: 5, after: 2 },
    { row: 5, before: 5, after: 4 },
  ];
  const { gained, lost } = extremesOf(rows, 1);
  expect(gained.map(({ row }) => row)).toEqual([2]);
  expect(lost.map(({ row }) => row)).toEqual([4]);
  expect(extremesOf(rows, 9).gained.map(({ row }) => row)).toEqual([2, 3]);
  expect(extremesOf(rows, 9).lost.map(({ row }) => row)).toEqual([4, 5]);
});

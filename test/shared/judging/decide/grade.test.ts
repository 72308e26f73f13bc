import { expect, it } from 'vitest';
import { gradeOf, improvementPercent, percentileAmong } from '#shared/judging/decide/grade.ts';

it.each([
  [10, 'A'],
  [9.01, 'A'],
  [9, 'B'],
  [7.51, 'B'],
  [7.5, 'C'],
  [6, 'C'],
  [5.99, 'D'],
  [4, 'D'],
  [3.99, 'E'],
  [0, 'E'],
])('grades calls %d a %s', (score, grade) => {
  expect(gradeOf(score)).toBe(grade);
});

it.each([
  [7, 8.1, 15.7],
  [8, 8.8, 10],
  [6.92, 9.1, 31.5],
  [8, 6, -25],
  [5, 5, 0],
  [0, 5, null],
  [null, 5, null],
  [5, null, null],
])('improvement from %s to %s is %s per cent', (before, after, percent) => {
  expect(improvementPercent(before, after)).toBe(percent);
});

it.each<[number, number[][], number | null]>([
  [8, [[5, 6, 7, 9]], 75],
  [8, [[8, 8]], 50],
  [3, [[5, 6, 7]], 0],
  [9, [[1, 2, 3]], 100],
  // A team with many low grades counts as one of two.
  [5, [[1, 1, 1, 1, 1, 1], [9]], 50],
  [5, [], null],
  [5, [[]], null],
])('percentiles of %d among %j is %s', (score, others, percentile) => {
  expect(percentileAmong(score, others)).toBe(percentile);
});

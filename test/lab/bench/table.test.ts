import { expect, test } from 'vitest';
import { type Figure, figureOf, type Goal, isBelowFloor, isMet } from '#lab/bench/benchmark.ts';
import { measuredOf, tableOf, worksBelowFloor } from '#lab/bench/table.ts';

const least: Goal = { work: 'Rows', against: 'a bare pool', atLeast: 0.3 };
const most: Goal = { work: 'Import', against: 'its clients', atMost: 1.3 };
const figure = (ratio: number): Figure => ({ figure: '10 rows/s', ratio, details: [] });

test('the floor of a goal is half of it, and twice one that a ratio is not to exceed', () => {
  expect([0.3, 0.29, 0.15].map((ratio) => isMet(least, ratio))).toEqual([true, false, false]);
  expect([0.15, 0.14, Number.NaN].map((ratio) => isBelowFloor(least, ratio))).toEqual([false, true, true]);
  expect([1.3, 1.31].map((ratio) => isMet(most, ratio))).toEqual([true, false]);
  expect([2.6, 2.61, Number.NaN].map((ratio) => isBelowFloor(most, ratio))).toEqual([false, true, true]);
});

test('the floor of a goal is the one that it gives', () => {
  expect([0.2, 0.19].map((ratio) => isBelowFloor({ ...least, floor: 0.2 }, ratio))).toEqual([false, true]);
  expect([1.8, 1.81].map((ratio) => isBelowFloor({ ...most, floor: 1.8 }, ratio))).toEqual([false, true]);
});

test('the table has the work, figure, ratio and goal of each measurement, and whether it is met', () => {
  const measured = [
    { goal: least, figure: figure(0.35) },
    { goal: most, figure: figure(1.5) },
    { goal: most, figure: figure(3) },
  ];

  expect(tableOf(measured).split('\n')).toEqual([
    '| Work   | Figure    | Ratio              | Goal         | Met                 |',
    '| ------ | --------- | ------------------ | ------------ | ------------------- |',
    '| Rows   | 10 rows/s | 0.35 × a bare pool | at least 0.3 | yes                 |',
    '| Import | 10 rows/s | 1.50 × its clients | at most 1.3  | no                  |',
    '| Import | 10 rows/s | 3.00 × its clients | at most 1.3  | NO, below the floor |',
  ]);
  expect(worksBelowFloor(measured)).toEqual(['Import']);
});

test('a ratio is the one to the bound, or to the named peer', () => {
  const result = {
    name: 'Search',
    value: 30,
    unit: 'searches/s',
    bound: { name: 'allowed', value: 10 },
    ratio: 3,
    runs: [29, 30],
    peers: [{ name: 'usearch', value: 20, runs: [20] }],
  };

  expect(figureOf(result)).toEqual({
    figure: '30.0 searches/s',
    ratio: 3,
    details: ['runs 29.0, 30.0', '3.00 × allowed (10.0 searches/s)', '1.50 × usearch (20.0 searches/s)'],
  });
  expect(figureOf(result, { against: 'usearch' }).ratio).toBe(1.5);
  expect(() => figureOf(result, { against: 'faiss' })).toThrow('There is no peer faiss.');
});

test('a goal without a figure is an error', () => {
  const needed = { name: 'rows', needs: 'build', goals: { rows: least }, run: async () => ({}) } as const;

  expect(() => measuredOf(needed, {})).toThrow('Rows has no figure.');
});

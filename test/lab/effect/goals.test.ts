import { expect, test } from 'vitest';
import { describeGoals, type Goal, goalsOf } from '#lab/effect/goals.ts';
import type { LadderCount } from '#lab/effect/ladder.ts';
import type { IntervalMeasure } from '#lab/effect/verdict-intervals.ts';
import { TOGETHER, type WitnessLine } from '#lab/effect/witnesses/table.ts';

const line = (changes: Partial<WitnessLine>): WitnessLine => ({
  ...{ witness: 'execution', rows: 'as they are; functions with examples' },
  ...{ right: 1000, rightFlagged: 10, wrong: 100, wrongFlagged: 60 },
  ...changes,
});
const count = (changes: Partial<LadderCount>): LadderCount => ({
  ...{ rung: 1, errors: 'independent', right: 200, spoiled: 1, rightFlagged: 0 },
  ...{ wrong: 20, corrected: 17, wrongFlagged: 0, calls: 2 },
  ...changes,
});
const interval = (changes: Partial<IntervalMeasure>): IntervalMeasure => ({
  ...{ name: 'a judge', accuracy: 0.9, rows: 500, verdicts: 60, covered: 0.93, width: 0.1, ratio: 0.7 },
  ...changes,
});
const goals = (
  lines: WitnessLine[],
  ladder: LadderCount[],
  intervals: IntervalMeasure[],
  stated: { probability: number; isWrong: boolean }[] = [],
): Goal[] =>
  goalsOf({
    witnesses: { lines, stated, checked: [], corrected: [] },
    ladders: { own: [], public: ladder },
    corrected: new Map([['sql', count({ corrected: 0 })]]),
    intervals,
    reviews: [],
  });
const reached = (of: Goal[], what: RegExp): (boolean | null)[] =>
  of.filter((goal) => what.test(goal.what)).map(({ isReached }) => isReached);

test('a goal is reached at its bound, and missed by one row', () => {
  const ladder = [count({ rung: 0.6, corrected: 4 }), count({ rung: 0.95, corrected: 12 }), count({})];
  const at = goals([line({})], ladder, [interval({})]);
  expect(at.filter(({ isReached }) => isReached === false)).toEqual([]);

  const missed = goals(
    [line({ rightFlagged: 11, wrongFlagged: 59 })],
    [
      count({ rung: 0.6, corrected: 4 }),
      count({ rung: 0.95, corrected: 3 }),
      count({ spoiled: 2, corrected: 16 }),
    ],
    [interval({ covered: 0.925, ratio: 0.71 })],
  );
  expect(reached(missed, /right rows flagged/)).toEqual([false]);
  expect(reached(missed, /execution.*wrong rows flagged/)).toEqual([false]);
  expect(reached(missed, /spoiled/)).toEqual([false]);
  expect(reached(missed, /public.*false rows corrected/)).toEqual([false, false]);
  expect(reached(missed, /no fewer/)).toEqual([false]);
  expect(reached(missed, /verdicts/)).toEqual([false, false]);
});

test('the worst tenth of the stated probability counts, where it has rows enough', () => {
  const stated = (rows: number, wrong: number) =>
    Array.from({ length: rows }, (_, n) => ({ probability: 0.55, isWrong: n < wrong }));
  expect(reached(goals([], [], [], stated(100, 64)), /^witnesses: stated/)).toEqual([true]);
  expect(reached(goals([], [], [], stated(100, 66)), /^witnesses: stated/)).toEqual([false]);
  expect(reached(goals([], [], [], stated(49, 49)), /^witnesses: stated/)).toEqual([true]);
});

test('rows of which nothing is promised are told without a goal', () => {
  const told = goals([line({ witness: TOGETHER, rows: 'facts: as they are', wrongFlagged: 1 })], [], []);
  expect(reached(told, /facts.*wrong rows|sql/)).toEqual([null, null]);
  expect(describeGoals(told)).toContain(
    '| all free witnesses, facts: as they are: wrong rows flagged | no goal | 1 of 100 (1.00 %) |  |',
  );
});

test('the goal of grades is missed where eight of 100 reviews have the truth outside their interval', () => {
  const review = { name: 'dropped', resamplings: 100, width: 2, bias: 0 };
  const measures = { lines: [], stated: [], checked: [], corrected: [] };
  const told = goalsOf({
    witnesses: measures,
    ladders: { own: [], public: [] },
    corrected: new Map(),
    intervals: [],
    reviews: [
      { ...review, covered: 0.93 },
      { ...review, covered: 0.92 },
    ],
  });
  expect(reached(told, /grades of 100 reviews, dropped/)).toEqual([true, false]);
});

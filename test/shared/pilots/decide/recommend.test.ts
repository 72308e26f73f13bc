import { expect, test } from 'vitest';
import { confidenceOf } from '#shared/judging/decide/corrected-win-rate.ts';
import type { RowVerdict } from '#shared/judging/decide/row-verdict.ts';
import { normalQuantile, wilsonInterval } from '#shared/judging/decide/statistics.ts';
import { type RecommendationInput, recommend, rowsToShow } from '#shared/pilots/decide/recommend.ts';
import { PilotRecommendation } from '#shared/pilots/schema/pilot.ts';

interface Counts {
  readonly better?: number;
  readonly worse?: number;
  readonly same?: number;
  readonly undecided?: number;
}

const verdicts = (counts: Counts): RowVerdict[] =>
  (['better', 'worse', 'same', 'undecided'] as const)
    .flatMap((verdict) => Array.from({ length: counts[verdict] ?? 0 }, () => verdict))
    .map((verdict, row) => ({ row, verdict, error: 0 }));

const ask = (arms: readonly Counts[]): ReturnType<typeof recommend> => {
  const input: RecommendationInput = {
    arms: arms.map((counts, at) => ({ arm: at + 1, verdicts: verdicts(counts) })),
    confidence: 0.95,
    nameOf: (arm) => `Arm ${arm}`,
  };
  return PilotRecommendation.parse(recommend(input));
};

const GOOD = { better: 22, worse: 2, same: 6 };
const BETTER = { better: 28, worse: 1, same: 1 };

test('a recommendation is the only arm that beats the originals, with its figures', () => {
  expect(ask([{ better: 10, worse: 9, same: 11 }, GOOD])).toEqual({
    arm: 2,
    certainty: 'better_than_original',
    reason:
      '“Arm 2” is better than the original in 22 of 30 rows and worse in 2, a win rate of 91.7 % (74.2 to 97.7), so it beats the originals. No other arm is shown to beat the originals.',
  });
});

test('a recommendation is the arm with the largest net benefit of those that beat the originals, and says which others do', () => {
  expect(ask([GOOD, BETTER, { better: 10, worse: 9 }, GOOD])).toMatchObject({
    arm: 2,
    certainty: 'better_than_original',
    reason: expect.stringContaining('“Arm 1” and “Arm 4” beat the originals too, with no larger net benefit'),
  });
});

test('a recommendation is the arm with fewer worse rows, and then the first, where the net benefit is equal', () => {
  const careful = { better: 20, same: 10 };

  expect(ask([{ better: 22, worse: 2, same: 6 }, careful, careful]).arm).toBe(2);
  expect(ask([careful, careful]).reason).toContain('“Arm 2” beats the originals too');
});

test('a recommendation says of how many rows nobody could judge', () => {
  expect(ask([{ better: 15, undecided: 4, same: 11 }]).reason).toMatch(/Of 4 rows neither the checks nor/);
  expect(ask([{ better: 15, undecided: 1, same: 14 }]).reason).toMatch(/Of 1 row neither the checks nor/);
});

test('no recommendation names the best arm, and the sample that would show it', () => {
  expect(
    ask([
      { better: 12, worse: 6, same: 12 },
      { worse: 3, same: 27 },
    ]),
  ).toEqual({
    arm: null,
    certainty: 'nothing_shown',
    reason:
      'No arm is shown to beat the originals. The best, “Arm 1”, is better than the original in 12 of 30 rows and worse in 6, a win rate of 66.7 % (43.7 to 83.7). If that is its true rate, a sample of about 58 rows would show it.',
  });
});

test('no recommendation names a sample that shows the effect if repairs count less than rows', () => {
  const repaired: RowVerdict[] = [
    ...Array.from({ length: 8 }, (_, row) => ({
      row,
      verdict: 'better' as const,
      error: 0.286,
      isRepair: true,
    })),
    ...Array.from({ length: 22 }, (_, row) => ({ row: row + 8, verdict: 'same' as const, error: 0 })),
  ];
  const confidence = confidenceOf(6);
  const { reason } = recommend({
    arms: [{ arm: 1, verdicts: repaired }],
    confidence,
    nameOf: (arm) => `Arm ${arm}`,
  });

  const rows = Number(/about (\d+) rows would show it/.exec(reason)?.[1]);
  const sampled = (of: number): number => {
    const weight = (8 * (1 - 0.286) * of) / 30;
    return wilsonInterval(1, weight, normalQuantile((1 + confidence) / 2))[0];
  };
  expect(sampled(rows)).toBeGreaterThan(0.5);
  expect(sampled(rows - 1)).toBeLessThanOrEqual(0.5);
});

test('no recommendation says that more rows do not help where an arm wins no more than it loses, or too little', () => {
  expect(ask([{ better: 9, worse: 9 }]).reason).toContain('A larger sample is not likely to change that.');
  expect(ask([{ better: 10, worse: 9 }]).reason).toContain('takes more than the 200 rows');
});

test('no recommendation blames the judge where most changed answers are undecided', () => {
  const { reason } = ask([
    { better: 3, undecided: 20, same: 7 },
    { undecided: 9, same: 21 },
  ]);

  expect(reason).toContain('Of 32 changed answers, 29 could not be decided');
  expect(reason).toContain('A judge that is believed would decide more of them');
  expect(reason).not.toContain('a sample of about');
});

test('no recommendation says where no arm changes anything, and where nothing was compared', () => {
  expect(ask([{ same: 30 }, { same: 30 }]).reason).toBe(
    'No arm changed an answer of the sample, so the dataset is best left as it is.',
  );
  expect(ask([{}]).reason).toBe('No row of an arm could be compared with its original.');
  expect(ask([])).toMatchObject({ arm: null, certainty: 'nothing_shown' });
});

test('the more arms there are, the more rows have to be better so that one of them is shown to be', () => {
  expect([1, 2, 3, 8].map(rowsToShow)).toEqual([4, 6, 6, 8]);
});

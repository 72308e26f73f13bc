import { describe, expect, test } from 'vitest';
import { isShownBetter } from '#shared/judging/decide/corrected-win-rate.ts';
import type { RowVerdict } from '#shared/judging/decide/row-verdict.ts';
import { armsThatCannotWin, finalistsOf, firstLookRows } from '#shared/pilots/decide/looks.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

const verdicts = (better: number, worse: number, same = 0, error = 0): RowVerdict[] =>
  [
    ...Array.from({ length: better }, () => 'better' as const),
    ...Array.from({ length: worse }, () => 'worse' as const),
    ...Array.from({ length: same }, () => 'same' as const),
  ].map((verdict, row) => ({ row, verdict, error: verdict === 'same' ? 0 : error }));

describe('looks', () => {
  test('the first is at half of the sample, rounded up', () => {
    expect([2, 3, 30, 31, 200].map(firstLookRows)).toEqual([1, 2, 15, 16, 100]);
  });

  test('stop the arms that would not win with all remaining rows', () => {
    const arms = [
      { arm: 1, verdicts: verdicts(1, 14) },
      { arm: 2, verdicts: verdicts(10, 5) },
      { arm: 3, verdicts: verdicts(0, 0, 15) },
    ];

    expect(armsThatCannotWin(arms, 15, 0.95)).toEqual([1]);
    // Four better rows are not enough: the lower bound of four of four is 0.51, that of three of three 0.44.
    expect(armsThatCannotWin([{ arm: 3, verdicts: verdicts(0, 0, 15) }], 3, 0.95)).toEqual([3]);
    expect(armsThatCannotWin([{ arm: 3, verdicts: verdicts(0, 0, 15) }], 4, 0.95)).toEqual([]);
  });

  test('stop no arm that could still be shown to win, whatever decides the remaining rows', () => {
    const random = seededRandom('looks');
    const drawn = (count: number): RowVerdict[] =>
      Array.from({ length: count }, (_, row) => {
        const verdict = (['better', 'better', 'worse', 'same', 'undecided'] as const)[
          Math.floor(5 * random())
        ];
        const isRepair = verdict === 'better' && random() < 0.3;
        return { row, verdict: verdict ?? 'same', error: 0.49 * random(), ...(isRepair ? { isRepair } : {}) };
      });
    for (let n = 0; n < 2_000; n += 1) {
      const [seen, later] = [drawn(10), drawn(10)];
      const [stopped] = armsThatCannotWin([{ arm: 1, verdicts: seen }], later.length, 0.95);
      const lateWins = later.map((verdict): RowVerdict => ({ ...verdict, verdict: 'better' }));

      if (stopped !== undefined) {
        expect(isShownBetter([...seen, ...later], 0.95)).toBe(false);
        expect(isShownBetter([...seen, ...lateWins], 0.95)).toBe(false);
      }
    }
  });

  test('after the last one, stop exactly the arms that are no finalists', () => {
    const arms = [verdicts(14, 6), verdicts(16, 4), verdicts(3, 17)].map((each, at) => ({
      arm: at + 1,
      verdicts: each,
    }));

    expect(armsThatCannotWin(arms, 0, 0.95)).toEqual([1, 3]);
    expect(finalistsOf(arms, 0.95)).toEqual([2]);
  });
});

describe('finalists', () => {
  test('beat the originals, and are ordered by net benefit, then by fewer worse rows', () => {
    const arms = [
      { arm: 1, verdicts: verdicts(12, 0, 18) },
      { arm: 2, verdicts: verdicts(9, 7, 14) },
      { arm: 3, verdicts: verdicts(25, 2, 3) },
      { arm: 4, verdicts: verdicts(14, 2, 14) },
    ];

    expect(finalistsOf(arms, 0.95)).toEqual([3, 1, 4]);
  });

  test('are three at most', () => {
    const arms = [20, 22, 24, 26, 28].map((better, at) => ({
      arm: at + 1,
      verdicts: verdicts(better, 0, 30 - better),
    }));

    expect(finalistsOf(arms, 0.95)).toEqual([5, 4, 3]);
  });

  test('are none where no arm beats the originals', () => {
    expect(finalistsOf([{ arm: 1, verdicts: verdicts(15, 15) }], 0.95)).toEqual([]);
    expect(finalistsOf([], 0.95)).toEqual([]);
  });
});

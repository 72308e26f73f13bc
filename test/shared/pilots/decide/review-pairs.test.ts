import { describe, expect, test } from 'vitest';
import { reviewPairs } from '#shared/pilots/decide/review-pairs.ts';
import type { PairVerdict } from '#shared/pilots/schema/pair-verdicts.ts';
import type { PilotRow } from '#shared/pilots/schema/pilot.ts';

type Verdict = NonNullable<PilotRow['answers'][number]['verdict']>;

const row = (n: number, verdict: Verdict | null, outcome: 'changed' | 'kept' = 'changed'): PilotRow => ({
  row: n,
  request: null,
  original: null,
  answers: [{ arm: 1, outcome, code: null, message: null, answer: null, verdict }],
});
/** The arm wins three of four pairs; the pilot is wrong about every tenth. */
const isWon = (n: number): boolean => n % 4 !== 0;
const said = (n: number): Verdict => (isWon(n) === (n % 10 !== 9) ? 'better' : 'worse');
const rows = Array.from({ length: 200 }, (_, n) => row(n, said(n)));
const give = (n: number, reviewer?: string): PairVerdict => ({
  arm: 1,
  row: n,
  verdict: isWon(n) ? 'better' : 'worse',
  ...(reviewer === undefined ? {} : { reviewer }),
});
const review = (verdicts: readonly PairVerdict[], of = rows, next = 50) => {
  const [arm] = reviewPairs('a pilot', [1], of, { verdicts, next });
  if (arm === undefined) throw new Error('There is no arm.');
  return arm;
};
const width = ({ interval: [low, high] }: { readonly interval: readonly [number, number] }): number =>
  high - low;

describe('verdicts on pairs', () => {
  test('nothing follows from an empty list but the pairs that are to be looked at, always the same', () => {
    const first = review([]);

    expect(first).toMatchObject({ pairs: 200, drawn: 0, missing: 30, result: null, agreement: null });
    expect(first.next).toHaveLength(50);
    expect(first.next).not.toEqual(first.next.toSorted((a, b) => a - b));
    expect(review([]).next).toEqual(first.next);
  });

  test('verdicts on drawn pairs correct what the pilot says, and narrow the interval of the verdicts alone', () => {
    const { next } = review([]);
    const given = next.map((n) => give(n));

    const { result, agreement, drawn, missing } = review(given);

    expect([drawn, missing]).toEqual([50, 0]);
    const [low, high] = result?.interval ?? [0, 0];
    expect(low).toBeLessThanOrEqual(0.75);
    expect(high).toBeGreaterThanOrEqual(0.75);
    expect(result?.is_better).toBe(true);
    expect(width(result ?? { interval: [0, 1] })).toBeLessThan(
      width(result?.verdicts_alone ?? { interval: [0, 0] }),
    );
    expect(agreement?.pairs).toBe(50);
    expect(agreement?.share).toBeGreaterThan(0.7);
  });

  test('29 verdicts are too few, and pairs that people chose bring no result', () => {
    const { next } = review([]);
    const order = new Set(next);
    const chosen = rows.map((each) => each.row).filter((n) => !order.has(n) && isWon(n));

    expect(review(next.slice(0, 29).map((n) => give(n)))).toMatchObject({ missing: 1, result: null });
    // As many verdicts as pairs were looked ahead: those far behind were not drawn.
    expect(review(chosen.slice(0, 20).map((n) => give(n))).drawn).toBeLessThanOrEqual(20);
  });

  test('the interval is wider where verdicts contradict each other', () => {
    const given = review([]).next.map((n) => give(n, 'ada'));
    const agreed = given.map((each) => ({ ...each, reviewer: 'ben' }));
    const against = given.map((each, at) => ({
      ...each,
      reviewer: 'ben',
      verdict: at % 3 === 0 ? (each.verdict === 'better' ? 'worse' : 'better') : each.verdict,
    })) as PairVerdict[];

    const [calm, disputed] = [review([...given, ...agreed]), review([...given, ...against])];

    expect([calm.disputed, disputed.disputed]).toEqual([0, 17]);
    expect(width(disputed.result ?? { interval: [0, 0] })).toBeGreaterThan(
      width(calm.result ?? { interval: [0, 1] }),
    );
  });

  test('all pairs of a small pilot are enough, and then their mean is the rate', () => {
    const few = [0, 1, 2, 3].map((n) => row(n, said(n)));

    const { result, missing } = review(
      [0, 1, 2, 3].map((n) => give(n)),
      few,
    );

    expect(missing).toBe(0);
    expect(result).toMatchObject({ win_rate: 0.75, interval: [0.75, 0.75] });
  });

  test('rows that the arm kept, and that were not compared, are no pairs', () => {
    const mixed = [row(0, 'same', 'kept'), row(1, null), row(2, 'same'), row(3, 'undecided')];

    expect(review([], mixed)).toMatchObject({ pairs: 1, next: [3] });
    expect(review([], [])).toMatchObject({ pairs: 0, missing: 0, result: null, next: [] });
  });

  test('a verdict on no pair, and a second one of the same person, are refused', () => {
    const refused = (...verdicts: PairVerdict[]) => {
      try {
        review(verdicts);
        return null;
      } catch (error) {
        return (error as { details?: { path: string }[] }).details?.[0]?.path;
      }
    };

    expect(refused({ arm: 1, row: 999, verdict: 'same' })).toBe('verdicts.0.row');
    expect(refused({ arm: 2, row: 1, verdict: 'same' })).toBe('verdicts.0.row');
    expect(refused(give(1), give(1))).toBe('verdicts.1');
    expect(refused(give(1, 'ada'), give(1, 'ben'))).toBeNull();
  });
});

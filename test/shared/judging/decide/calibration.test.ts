import { describe, expect, it } from 'vitest';
import {
  ACCURACY_MIN,
  assembleCalibration,
  believedKinds,
  FALSE_ACCEPTANCE_MAX,
  isBelieved,
  isRubricTrusted,
  JudgeCalibration,
  mayPreferNew,
  type PairTrial,
} from '#shared/judging/decide/calibration.ts';
import type { PairVerdict } from '#shared/judging/decide/judge.ts';
import { PAIR_KINDS, type PairKind } from '#shared/runs/schema/pair-kind.ts';
import { calibrationOf, figures } from '#test/helpers/calibrations.ts';

const RIGHT: PairVerdict = { better: 'first', frontNamed: 1 };
const WRONG: PairVerdict = { better: 'second', frontNamed: 1 };
const FRONT: PairVerdict = { better: 'split', frontNamed: 2 };

function trial(
  verdict: PairVerdict | null,
  { kind = 'fact', original = 'better', better = 'a b c', worse = 'a b' }: Partial<PairTrial['pair']> = {},
): PairTrial {
  return { pair: { kind, flaw: 'f', request: 'r', better, worse, original }, verdict };
}

const times = (count: number, one: PairTrial): PairTrial[] => Array.from({ length: count }, () => one);
const conclude = (...trials: PairTrial[]): JudgeCalibration => assembleCalibration('m', trials, null);

it('the figures of a judge count what it decided, by kind and over all', () => {
  const calibration = conclude(
    ...times(5, trial(RIGHT)),
    ...times(2, trial(WRONG)),
    ...times(2, trial(FRONT)),
    trial(null),
    ...times(4, trial(RIGHT, { kind: 'code' })),
  );

  expect(calibration.kinds.fact).toMatchObject({
    pairs: 10,
    right: 5,
    wrong: 2,
    split: 2,
    unanswered: 1,
    accuracy: 0.6,
  });
  expect(calibration.kinds.code).toMatchObject({ pairs: 4, right: 4, accuracy: 1 });
  expect(calibration.pairs).toMatchObject({ pairs: 14, right: 9, wrong: 2, split: 2 });
  expect(calibration.unanswered).toBe(1);
  expect(Object.keys(calibration.kinds)).toEqual(['fact', 'code']);
  expect(JudgeCalibration.parse(calibration)).toEqual(calibration);
});

it('the figures of a judge bound the accuracy from below, by Wilson', () => {
  expect(conclude(...times(16, trial(RIGHT))).pairs.accuracy_low).toBe(0.806);
  expect(conclude(...times(15, trial(RIGHT)), trial(WRONG)).pairs.accuracy_low).toBe(0.717);
  expect(conclude(...times(14, trial(RIGHT)), ...times(2, trial(WRONG))).pairs.accuracy_low).toBeLessThan(
    0.7,
  );
});

it('the figures of a judge count as falsely accepted a new answer that was named in both orders where the original is better', () => {
  const { pairs } = conclude(
    ...times(6, trial(RIGHT)),
    ...times(2, trial(WRONG)),
    ...times(2, trial(FRONT)),
    // Here the new one is the better, and missing it is no acceptance.
    ...times(5, trial(WRONG, { original: 'worse' })),
  );

  expect(pairs).toMatchObject({ original_better: 10, false_acceptance: 0.2, false_acceptance_high: 0.51 });
  expect(conclude(...times(9, trial(RIGHT))).pairs.false_acceptance_high).toBe(0.299);
});

it('the figures of a judge know nothing of false acceptance where no original was the better', () => {
  expect(conclude(trial(RIGHT, { original: 'worse' })).pairs).toMatchObject({
    false_acceptance: 1,
    false_acceptance_high: 1,
  });
});

it('show a bias for what stands in front', () => {
  expect(conclude(trial(FRONT), trial(RIGHT)).pairs.position_bias).toBe(0.25);
  expect(conclude(trial({ better: 'split', frontNamed: 0 })).pairs.position_bias).toBe(-0.5);
  expect(conclude(trial(null)).pairs.position_bias).toBe(0);
});

it('show how often the longer answer won, among the decided pairs whose lengths differ', () => {
  const shorter = { better: 'a b', worse: 'a b c' };
  const { pairs } = conclude(
    trial(RIGHT),
    trial(WRONG, shorter),
    trial(RIGHT, shorter),
    trial(WRONG),
    trial(RIGHT),
    trial(FRONT),
    trial(RIGHT, { better: 'a b', worse: 'c d' }),
  );

  expect(pairs).toMatchObject({ decided_by_length: 5, longer_named: 0.6 });
  expect(conclude(trial(FRONT)).pairs.longer_named).toBeNull();
});

it('the figures of a judge hold grades against the same pairs, ties for a half', () => {
  const graded = (better: number | null, worse: number | null) => ({ better, worse });
  const { rubric, unanswered } = assembleCalibration('m', times(4, trial(RIGHT)), [
    graded(9, 2),
    graded(5, 5),
    graded(2, 9),
    graded(null, 3),
  ]);

  expect(rubric?.agreement).toBe(0.375);
  expect(rubric?.agreement_low).toBeLessThan(0.375);
  expect(unanswered).toBe(1);
});

describe('a judge', () => {
  const withKinds = (kinds: JudgeCalibration['kinds']): JudgeCalibration => calibrationOf('m', [], { kinds });

  it('a judge is believed above the threshold alone', () => {
    const at = (accuracy_low: number) => isBelieved(withKinds({ fact: figures({ accuracy_low }) }), 'fact');

    expect([at(ACCURACY_MIN - 0.001), at(ACCURACY_MIN), at(ACCURACY_MIN + 0.001)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('a judge may prefer what is new where it is believed and hardly ever accepts falsely', () => {
    const at = (false_acceptance_high: number, accuracy_low = 0.8) =>
      mayPreferNew(withKinds({ fact: figures({ accuracy_low, false_acceptance_high }) }), 'fact');

    expect(at(FALSE_ACCEPTANCE_MAX)).toBe(true);
    expect(at(FALSE_ACCEPTANCE_MAX + 0.001)).toBe(false);
    expect(at(0, 0.6)).toBe(false);
  });

  it('a judge is believed in a kind that was not measured as in the worst that was', () => {
    const good = figures({ accuracy_low: 0.9, false_acceptance_high: 0.31 });
    const fair = figures({ accuracy_low: 0.71, false_acceptance_high: 0.1 });

    expect(isBelieved(withKinds({ fact: good, code: fair }), 'voice')).toBe(true);
    expect(mayPreferNew(withKinds({ fact: good, code: fair }), 'voice')).toBe(false);
    expect(isBelieved(withKinds({ fact: good, code: figures({ accuracy_low: 0.5 }) }), 'voice')).toBe(false);
  });

  it('a judge of whom nothing is known is believed in nothing', () => {
    for (const calibration of [null, withKinds({})]) {
      expect(believedKinds(calibration)).toEqual([]);
      expect(PAIR_KINDS.some((kind) => mayPreferNew(calibration, kind))).toBe(false);
      expect(isRubricTrusted(calibration)).toBe(false);
    }
  });

  it('a judge may grade where its grades are sure to agree, and it is believed in some kind', () => {
    const graded = (agreement_low: number, believed: readonly PairKind[]) =>
      isRubricTrusted(calibrationOf('m', believed, { rubric: { agreement: 0.9, agreement_low } }));

    expect(graded(0.71, ['defect'])).toBe(true);
    expect(graded(0.7, ['defect'])).toBe(false);
    expect(graded(0.9, [])).toBe(false);
    expect(isRubricTrusted(calibrationOf('m', ['defect'], { rubric: null }))).toBe(false);
  });
});

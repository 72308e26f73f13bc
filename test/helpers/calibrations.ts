import {
  calibrationKeyOf,
  type JudgeCalibration,
  type PairFigures,
} from '#shared/judging/decide/calibration.ts';
import { PAIR_KINDS, type PairKind } from '#shared/runs/schema/pair-kind.ts';

/** What a judge said of 16 pairs, nine of which had the better answer for their original. */
export function figures(overrides: Partial<PairFigures> = {}): PairFigures {
  return {
    pairs: 16,
    right: 16,
    wrong: 0,
    split: 0,
    unanswered: 0,
    accuracy: 1,
    accuracy_low: 0.806,
    original_better: 9,
    false_acceptance: 0,
    false_acceptance_high: 0.299,
    position_bias: 0,
    decided_by_length: 16,
    longer_named: 0.5,
    ...overrides,
  };
}

const GUESSED = { right: 8, wrong: 8, accuracy: 0.5, accuracy_low: 0.28 };

/** The calibration of a judge that is right about these kinds and guesses at the others. */
export function calibrationOf(
  modelId: string,
  believed: readonly PairKind[] = PAIR_KINDS,
  overrides: Partial<JudgeCalibration> = {},
): JudgeCalibration {
  return {
    ...calibrationKeyOf(modelId),
    rubric: { agreement: 0.9, agreement_low: 0.84 },
    pairs: figures(),
    kinds: Object.fromEntries(
      PAIR_KINDS.map((kind) => [kind, figures(believed.includes(kind) ? {} : GUESSED)]),
    ),
    unanswered: 0,
    ...overrides,
  };
}

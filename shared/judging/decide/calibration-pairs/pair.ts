import type { PairKind } from '#shared/runs/schema/pair-kind.ts';

/** A pair whose better answer is known by construction. */
export interface CalibrationPair {
  readonly kind: PairKind;
  /** The flaw of the worse answer. */
  readonly flaw: string;
  readonly request: string;
  readonly better: string;
  readonly worse: string;
  /** Which of the two is the original of a row; the other one is its rewriting. */
  readonly original: 'better' | 'worse';
}

/** The pairs of one kind. */
export type PairsOfKind = readonly Omit<CalibrationPair, 'kind'>[];

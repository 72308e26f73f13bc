import type { PairKind } from '#shared/schema/pair-kind.ts';

/** A pair whose better answer is known by how it was made. */
export interface CalibrationPair {
  readonly kind: PairKind;
  /** In what the worse one is worse. */
  readonly flaw: string;
  readonly request: string;
  readonly better: string;
  readonly worse: string;
  /** Which of the two stands for the original of a row; the other one stands for its rewriting. */
  readonly original: 'better' | 'worse';
}

/** The pairs of one kind, as their files write them. */
export type PairsOfKind = readonly Omit<CalibrationPair, 'kind'>[];

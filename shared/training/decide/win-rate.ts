import { type PairwiseOutcome, winRateOf } from '#shared/judging/decide/win-rate.ts';
import type { HeldOutAnswer } from '../schema/training-job.ts';
import type { WinRate } from '../schema/training-outcome.ts';
import { INDICATIVE_BELOW } from './hold-out.ts';

/**
 * The verdict of likelihoods on a row: the model with the higher likelihood a token of the reference wins. Null if one
 * of the two has none.
 */
export function verdictOfLikelihoods({
  base,
  tuned,
}: Pick<HeldOutAnswer, 'base' | 'tuned'>): PairwiseOutcome | null {
  const [before, after] = [base.reference_logprob, tuned.reference_logprob];
  if (before === null || after === null) return null;
  return after > before ? 'win' : after < before ? 'loss' : 'tie';
}

/** The win rate of the tuned model, and what compared it; null without rows. */
export function comparedRate(
  outcomes: readonly PairwiseOutcome[],
  by: { readonly method: WinRate['method']; readonly judge: string | null },
): WinRate | null {
  const rate = winRateOf(outcomes);
  return rate === null ? null : { ...by, ...rate, is_indicative: rate.n < INDICATIVE_BELOW };
}

/**
 * Share of pairs for which a model gives the chosen answer a higher likelihood a token than the rejected one (ties
 * count half). Summed likelihoods would favour shorter answers. Null without pairs.
 */
export function preferenceAccuracy(
  answers: readonly HeldOutAnswer[],
  which: 'base' | 'tuned',
): number | null {
  const margins = answers.flatMap((answer) => {
    const { reference_logprob: chosen, rejected_logprob: rejected } = answer[which];
    return chosen === null || rejected === null || rejected === undefined ? [] : [chosen - rejected];
  });
  if (margins.length === 0) return null;
  const right = margins.reduce((sum, margin) => sum + (margin > 0 ? 1 : margin === 0 ? 0.5 : 0), 0);
  return round(right / margins.length);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import type { HeldOutAnswer } from '../schema/training-job.ts';
import type { WinRate } from '../schema/training-outcome.ts';
import { INDICATIVE_BELOW } from './hold-out.ts';

/** Outcome of comparing the tuned model's answer with the base model's. */
export type RowVerdict = 'win' | 'loss' | 'tie';

/**
 * The verdict of likelihoods on a row: the model with the higher likelihood a token of the reference wins. Null if one
 * of the two has none.
 */
export function verdictOfLikelihoods({
  base,
  tuned,
}: Pick<HeldOutAnswer, 'base' | 'tuned'>): RowVerdict | null {
  const [before, after] = [base.reference_logprob, tuned.reference_logprob];
  if (before === null || after === null) return null;
  return after > before ? 'win' : after < before ? 'loss' : 'tie';
}

/** The share of rows on which the tuned model won; null without rows. */
export function winRateOf(
  verdicts: readonly RowVerdict[],
  by: { readonly method: WinRate['method']; readonly judge: string | null },
): WinRate | null {
  const n = verdicts.length;
  if (n === 0) return null;
  const count = (wanted: RowVerdict): number => verdicts.filter((verdict) => verdict === wanted).length;
  const [wins, losses, ties] = [count('win'), count('loss'), count('tie')];
  const value = (wins + ties / 2) / n;
  const [low, high] = wilsonInterval(value, n);
  return {
    ...by,
    value: round(value),
    n,
    wins,
    losses,
    ties,
    interval95: [round(low), round(high)],
    is_indicative: n < INDICATIVE_BELOW,
  };
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

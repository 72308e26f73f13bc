/** A share with its uncertainty. */
export interface Rate {
  readonly value: number;
  readonly variance: number;
}

/**
 * A share of `hits` in `of`, as mean and variance of the posterior under Jeffreys' prior, Beta(hits + ½, misses + ½):
 * five of five is not certain (Brown, Cai and DasGupta, Statistical Science 16, 2001).
 */
export function jeffreysRate(hits: number, of: number): Rate {
  const value = (hits + 0.5) / (of + 1);
  return { value, variance: (value * (1 - value)) / (of + 2) };
}

/**
 * The true share behind the `apparent` share of an imperfect test: (apparent + specificity − 1) / (sensitivity +
 * specificity − 1), Rogan and Gladen, Am. J. Epidemiology 107, 1978. Not clipped. Null for a test that is no better
 * than chance.
 */
export function roganGladen(apparent: number, sensitivity: number, specificity: number): number | null {
  const youden = sensitivity + specificity - 1;
  return youden <= 0 ? null : (apparent + specificity - 1) / youden;
}

export const clipToShare = (value: number): number => Math.min(1, Math.max(0, value));

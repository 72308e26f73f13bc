/** A share, and how sure it is. */
export interface Rate {
  readonly value: number;
  readonly variance: number;
}

/**
 * A share of `hits` in `of`, as mean and variance of the posterior under Jeffreys' prior, Beta(hits + ½, misses + ½):
 * five of five is not certainty (Brown, Cai and DasGupta, Statistical Science 16, 2001).
 */
export function jeffreysRate(hits: number, of: number): Rate {
  const value = (hits + 0.5) / (of + 1);
  return { value, variance: (value * (1 - value)) / (of + 2) };
}

/**
 * The true share of what a fallible test finds in the share `apparent`: (apparent + specificity − 1) /
 * (sensitivity + specificity − 1), Rogan and Gladen, Am. J. Epidemiology 107, 1978. Not clipped. Null of a test that
 * is no better than chance, which says nothing.
 */
export function roganGladen(apparent: number, sensitivity: number, specificity: number): number | null {
  const youden = sensitivity + specificity - 1;
  return youden <= 0 ? null : (apparent + specificity - 1) / youden;
}

export const clipToShare = (value: number): number => Math.min(1, Math.max(0, value));

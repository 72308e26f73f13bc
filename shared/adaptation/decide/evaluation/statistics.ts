export interface Estimate {
  readonly mean: number;
  readonly n: number;
  /** Bounds of the 95 % confidence interval of the mean; null for a single value. */
  readonly interval95: readonly [number, number] | null;
}

/**
 * Mean and its two-sided 95 % interval, mean ± t(0.975, n − 1) · s / √n (Student's t; s with n − 1), clipped to
 * the scale. Null for no values.
 */
export function estimateMean(
  values: readonly number[],
  scale: readonly [min: number, max: number],
): Estimate | null {
  const n = values.length;
  if (n === 0) {
    return null;
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) {
    return { mean, n, interval95: null };
  }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const half = studentT975(n - 1) * Math.sqrt(variance / n);
  return { mean, n, interval95: [Math.max(scale[0], mean - half), Math.min(scale[1], mean + half)] };
}

const Z975 = 1.959963984540054;

/**
 * The 0.975 quantile of Student's t. Exact for one and two degrees of freedom; above, the expansion in 1/ν of
 * Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5 (within 0.3 % from three degrees on).
 */
export function studentT975(degrees: number): number {
  if (degrees === 1) {
    return Math.tan(Math.PI * 0.475);
  }
  if (degrees === 2) {
    return (2 * 0.975 - 1) * Math.sqrt(2 / (1 - (2 * 0.975 - 1) ** 2));
  }
  const z = Z975;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, power) => sum + term / degrees ** (power + 1), z);
}

/**
 * The 95 % interval of a share by Wilson's score (1927), which stays within [0, 1] and is valid for few rows too; a
 * half counts as half a success.
 */
export function wilsonInterval(share: number, n: number): readonly [number, number] {
  const z2 = Z975 ** 2;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z975 / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

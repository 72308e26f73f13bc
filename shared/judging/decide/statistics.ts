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
 * The interval of a share by Wilson's score (1927), which stays within [0, 1] and is valid for few rows too; a half
 * counts as half a success. It covers 95 %, or as much as the two-sided normal quantile `z` says.
 */
export function wilsonInterval(share: number, n: number, z = Z975): readonly [number, number] {
  const z2 = z ** 2;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (z / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/**
 * The interval of a share by the normal distribution of its log-odds (delta method), which stays within [0, 1].
 * @param share above 0 and below 1
 * @param variance of the share
 * @param quantile deviations on either side
 */
export function logOddsInterval(
  share: number,
  variance: number,
  quantile: number,
): readonly [number, number] {
  const odds = Math.log(share / (1 - share));
  const half = (quantile * Math.sqrt(variance)) / (share * (1 - share));
  const shareAt = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
  return [shareAt(odds - half), shareAt(odds + half)];
}

/**
 * The quantile of the standard normal distribution of a probability above 0 and below 1: algorithm AS 241, PPND7
 * (Wichura, Applied Statistics 37, 1988), with a relative error of about 1e-7.
 */
export function normalQuantile(probability: number): number {
  const q = probability - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (
      (q * polynomial([3.3871327179, 50.434271938, 159.29113202, 59.10937472], r)) /
      polynomial([1, 17.895169469, 78.757757664, 67.1875636], r)
    );
  }
  const tail = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  const [r, above, below] =
    tail <= 5
      ? [
          tail - 1.6,
          [1.4234372777, 2.75681539, 1.3067284816, 0.17023821103],
          [1, 0.7370016425, 0.12021132975],
        ]
      : [
          tail - 5,
          [6.657905115, 3.081226386, 0.42868294337, 0.017337203997],
          [1, 0.24197894225, 0.012258202635],
        ];
  return (Math.sign(q) * polynomial(above, r)) / polynomial(below, r);
}

/** The value of a polynomial with these coefficients, the lowest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

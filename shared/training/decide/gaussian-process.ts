/** The posterior of the surrogate at a point: the mean and standard deviation of its value. */
export interface Posterior {
  readonly mean: number;
  readonly deviation: number;
}

export interface Observation {
  /** Coordinates, each scaled to [0, 1]. */
  readonly point: readonly number[];
  readonly value: number;
}

/** Distance in the unit cube within which values are similar. */
const LENGTH_SCALE = 0.35;
/** Standard deviation of a repeatedly measured win rate. */
const NOISE = 0.05;
/** Prior standard deviation of win rates over the space. */
const SIGNAL = 0.2;

/**
 * Gaussian process regression with a squared exponential kernel around the mean of the observations (Rasmussen and
 * Williams, Gaussian Processes for Machine Learning, 2006, algorithm 2.1).
 */
export function fitGaussianProcess(
  observations: readonly Observation[],
): (point: readonly number[]) => Posterior {
  const n = observations.length;
  const centre = observations.reduce((sum, { value }) => sum + value, 0) / Math.max(1, n);
  const covariance = observations.map((a, i) =>
    observations.map((b, j) => kernel(a.point, b.point) + (i === j ? NOISE ** 2 : 0)),
  );
  const lower = cholesky(covariance);
  const residuals = observations.map(({ value }) => value - centre);
  const weights = solveUpper(lower, solveLower(lower, residuals));
  return (point) => {
    const shared = observations.map((observation) => kernel(observation.point, point));
    const mean = centre + dot(shared, weights);
    const explained = solveLower(lower, shared);
    const variance = Math.max(0, SIGNAL ** 2 - dot(explained, explained));
    return { mean, deviation: Math.sqrt(variance) };
  };
}

/** Expected improvement of a point over `best` (Jones, Schonlau and Welch, 1998); never negative. */
export function expectedImprovement({ mean, deviation }: Posterior, best: number): number {
  if (deviation < 1e-12) return Math.max(0, mean - best);
  const z = (mean - best) / deviation;
  return (mean - best) * normalCdf(z) + deviation * normalPdf(z);
}

function kernel(a: readonly number[], b: readonly number[]): number {
  const squared = a.reduce((sum, coordinate, index) => sum + (coordinate - (b[index] as number)) ** 2, 0);
  return SIGNAL ** 2 * Math.exp(-squared / (2 * LENGTH_SCALE ** 2));
}

function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const lower: number[][] = [];
  for (const [i, row] of matrix.entries()) {
    const out: number[] = [];
    for (let j = 0; j <= i; j += 1) {
      const above = lower[j] ?? out;
      const rest = (row[j] as number) - dot(out.slice(0, j), above.slice(0, j));
      out.push(i === j ? Math.sqrt(rest) : rest / (above[j] as number));
    }
    lower.push(out);
  }
  return lower;
}

/** Solves L·x = b for x. */
function solveLower(lower: readonly (readonly number[])[], b: readonly number[]): number[] {
  const x: number[] = [];
  for (const [i, row] of lower.entries())
    x.push(((b[i] as number) - dot(row.slice(0, i), x)) / (row[i] as number));
  return x;
}

/** Solves Lᵀ·x = b for x. */
function solveUpper(lower: readonly (readonly number[])[], b: readonly number[]): number[] {
  const n = lower.length;
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i -= 1) {
    let rest = b[i] as number;
    for (let k = i + 1; k < n; k += 1) rest -= (lower[k]?.[i] as number) * (x[k] as number);
    x[i] = rest / (lower[i]?.[i] as number);
  }
  return x;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}

function normalPdf(z: number): number {
  return Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17; within 7.5e-8. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    normalPdf(z) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}

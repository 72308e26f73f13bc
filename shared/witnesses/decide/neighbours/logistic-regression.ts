/** A weight for each feature, and one for the constant behind them. */
export type Weights = Float64Array;

const ROUNDS = 25;
/** Penalty of the square of a weight: features are of about unit variance. */
const RIDGE = 0.5;

/**
 * Fits a logistic regression by Newton's method (Hastie, Tibshirani, Friedman 2009: The Elements of Statistical
 * Learning, section 4.4.1), with a small ridge, so that it ends also where a feature separates the classes.
 *
 * @param features of one case after another, `width` each
 * @param positive 1 for cases of the class, else 0
 * @param weightOf how much each case counts
 */
export function fitLogisticRegression(
  features: Float64Array,
  width: number,
  positive: Uint8Array,
  weightOf: Float64Array,
): Weights {
  const size = width + 1;
  const weights = new Float64Array(size);
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  const row = new Float64Array(size);
  row[width] = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    gradient.fill(0);
    hessian.fill(0);
    for (let at = 0; at < size; at += 1) {
      const ridge = at === width ? 1e-6 : RIDGE;
      gradient[at] = -ridge * (weights[at] as number);
      hessian[at * size + at] = ridge;
    }
    for (let n = 0; n < positive.length; n += 1) {
      for (let at = 0; at < width; at += 1) row[at] = features[n * width + at] as number;
      const p = 1 / (1 + Math.exp(-logit(weights, row, 0)));
      const weight = (weightOf[n] as number) * Math.max(p * (1 - p), 1e-9);
      const error = (weightOf[n] as number) * ((positive[n] as number) - p);
      for (let a = 0; a < size; a += 1) {
        gradient[a] = (gradient[a] as number) + error * (row[a] as number);
        for (let b = 0; b <= a; b += 1) {
          hessian[a * size + b] =
            (hessian[a * size + b] as number) + weight * (row[a] as number) * (row[b] as number);
        }
      }
    }
    const step = solve(hessian, gradient, size);
    let largest = 0;
    for (let at = 0; at < size; at += 1) {
      // A step of more than this overshoots where the classes are nearly separated.
      const bounded = Math.max(-2, Math.min(2, step[at] as number));
      weights[at] = (weights[at] as number) + bounded;
      largest = Math.max(largest, Math.abs(bounded));
    }
    if (largest < 1e-6) break;
  }
  return weights;
}

/** The log-odds of a case whose features begin at `start`. */
export function logit(weights: Weights, features: Float64Array, start: number): number {
  const width = weights.length - 1;
  let sum = weights[width] as number;
  for (let at = 0; at < width; at += 1) sum += (weights[at] as number) * (features[start + at] as number);
  return sum;
}

/** Solves a system with a symmetric positive matrix, of which the lower half is given, by Cholesky's decomposition. */
function solve(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const lower = decompose(matrix, size);
  const result = Float64Array.from(right);
  substitute(lower, size, result);
  return result;
}

/** The lower triangle whose product with its transpose is a symmetric positive matrix, given by its lower half. */
export function decompose(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b <= a; b += 1) {
      let sum = matrix[a * size + b] as number;
      for (let k = 0; k < b; k += 1) sum -= (lower[a * size + k] as number) * (lower[b * size + k] as number);
      lower[a * size + b] = a === b ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (lower[b * size + b] as number);
    }
  }
  return lower;
}

/** Replaces `right` by the solution of the system whose decomposition is `lower`. */
export function substitute(lower: Float64Array, size: number, right: Float64Array): void {
  for (let a = 0; a < size; a += 1) {
    let sum = right[a] as number;
    for (let k = 0; k < a; k += 1) sum -= (lower[a * size + k] as number) * (right[k] as number);
    right[a] = sum / (lower[a * size + a] as number);
  }
  for (let a = size - 1; a >= 0; a -= 1) {
    let sum = right[a] as number;
    for (let k = a + 1; k < size; k += 1) sum -= (lower[k * size + a] as number) * (right[k] as number);
    right[a] = sum / (lower[a * size + a] as number);
  }
}

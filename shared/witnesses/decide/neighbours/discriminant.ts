import { drawRows } from './draw-rows.ts';
import { decompose, substitute } from './logistic-regression.ts';
import type { Vectors } from './vectors.ts';

/** Rows by which the spread of the classes is measured. */
const SPREAD_ROWS_MAX = 10_000;

/** Classes of rows, and the fold that each row is left out with. A row of class -1 belongs to none. */
export interface LabelledRows {
  readonly vectorOf: Int32Array;
  readonly classOf: Int32Array;
  readonly foldOf: Uint8Array;
  /** How much each row counts, from 0 to 1. */
  readonly weightOf: Float64Array;
  readonly classes: number;
  readonly folds: number;
}

/** Sums of the rows of each fold: by class, and the products of their numbers with each other. */
interface FoldSums {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly products: Float64Array[];
  readonly spreadCounts: Float64Array;
  readonly spreadSums: Float64Array;
}

/**
 * Computes what each row's vector says of its class, from the rows of other folds: linear discriminant analysis with a
 * covariance that is shrunk towards a sphere (Friedman 1989: Regularized Discriminant Analysis).
 *
 * @param shrinkage part of the sphere in the covariance, from 0 to 1
 * @returns the log of each class's density times its frequency, up to a constant of the row: `classes` numbers a row
 */
export function discriminate(rows: LabelledRows, vectors: Vectors, shrinkage: number): Float32Array {
  const { vectorOf, classOf, foldOf, classes, folds } = rows;
  const { dimensions, values } = vectors;
  const sums = sumFolds(rows, vectors);
  const scores = new Float32Array(classOf.length * classes);
  for (let fold = 0; fold < folds; fold += 1) {
    const { weights, constants } = discriminantOf(
      trainingOf(sums, rows, dimensions, fold),
      dimensions,
      shrinkage,
    );
    for (let row = 0; row < classOf.length; row += 1) {
      if (foldOf[row] !== fold || (classOf[row] as number) < 0) continue;
      const start = (vectorOf[row] as number) * dimensions;
      for (let each = 0; each < classes; each += 1) {
        const first = each * dimensions;
        let score = constants[each] as number;
        for (let at = 0; at < dimensions; at += 1) {
          score += (weights[first + at] as number) * (values[start + at] as number);
        }
        scores[row * classes + each] = score;
      }
    }
  }
  return scores;
}

interface Training {
  /** The lower half. */
  readonly covariance: Float64Array;
  readonly means: Float64Array;
  readonly counts: Float64Array;
}

/** Weights and a constant for each class, of a linear function of the vector. */
function discriminantOf(
  { covariance, means, counts }: Training,
  dimensions: number,
  shrinkage: number,
): { weights: Float64Array; constants: Float64Array } {
  let trace = 0;
  for (let at = 0; at < dimensions; at += 1) trace += covariance[at * dimensions + at] as number;
  const sphere = shrinkage * Math.max(trace / dimensions, 1e-9);
  const shrunk = covariance.map((value) => (1 - shrinkage) * value);
  for (let at = 0; at < dimensions; at += 1) {
    shrunk[at * dimensions + at] = (shrunk[at * dimensions + at] as number) + sphere;
  }
  const lower = decompose(shrunk, dimensions);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const weights = means.slice();
  const constants = counts.map((count, each) => {
    const weight = weights.subarray(each * dimensions, (each + 1) * dimensions);
    substitute(lower, dimensions, weight);
    const square = weight.reduce(
      (sum, value, at) => sum + value * (means[each * dimensions + at] as number),
      0,
    );
    return Math.log((count + 0.5) / (total + 0.5 * counts.length)) - square / 2;
  });
  return { weights, constants };
}

function sumFolds(
  { vectorOf, classOf, foldOf, weightOf, classes, folds }: LabelledRows,
  { dimensions, values }: Vectors,
): FoldSums {
  const counts = new Float64Array(folds * classes);
  const sums = new Float64Array(folds * classes * dimensions);
  const spreadCounts = new Float64Array(folds * classes);
  const spreadSums = new Float64Array(folds * classes * dimensions);
  const products = Array.from({ length: folds }, () => new Float64Array(dimensions * dimensions));
  const isMeasured = new Uint8Array(classOf.length);
  for (const row of drawRows([...classOf.keys()], SPREAD_ROWS_MAX)) isMeasured[row] = 1;
  const vector = new Float64Array(dimensions);
  for (let row = 0; row < classOf.length; row += 1) {
    const [each, fold] = [classOf[row] as number, foldOf[row] as number];
    if (each < 0) continue;
    const start = (vectorOf[row] as number) * dimensions;
    const group = fold * classes + each;
    const weight = weightOf[row] as number;
    counts[group] = (counts[group] as number) + weight;
    for (let at = 0; at < dimensions; at += 1) {
      vector[at] = values[start + at] as number;
      sums[group * dimensions + at] =
        (sums[group * dimensions + at] as number) + weight * (vector[at] as number);
    }
    if (isMeasured[row] !== 1) continue;
    spreadCounts[group] = (spreadCounts[group] as number) + weight;
    const product = products[fold] as Float64Array;
    for (let a = 0; a < dimensions; a += 1) {
      const value = weight * (vector[a] as number);
      const first = a * dimensions;
      spreadSums[group * dimensions + a] = (spreadSums[group * dimensions + a] as number) + value;
      for (let b = 0; b <= a; b += 1)
        product[first + b] = (product[first + b] as number) + value * (vector[b] as number);
    }
  }
  return { counts, sums, products, spreadCounts, spreadSums };
}

/** Mean and frequency of each class, and their common covariance, of all folds but one. */
function trainingOf(
  { counts, sums, products, spreadCounts, spreadSums }: FoldSums,
  { classes, folds }: LabelledRows,
  dimensions: number,
  left: number,
): Training {
  const covariance = new Float64Array(dimensions * dimensions);
  const means = new Float64Array(classes * dimensions);
  const spreads = new Float64Array(classes * dimensions);
  const rows = new Float64Array(classes);
  const spreadRows = new Float64Array(classes);
  for (let fold = 0; fold < folds; fold += 1) {
    if (fold === left) continue;
    const product = products[fold] as Float64Array;
    for (let at = 0; at < product.length; at += 1)
      covariance[at] = (covariance[at] as number) + (product[at] as number);
    for (let each = 0; each < classes; each += 1) {
      const group = fold * classes + each;
      rows[each] = (rows[each] as number) + (counts[group] as number);
      spreadRows[each] = (spreadRows[each] as number) + (spreadCounts[group] as number);
      for (let at = 0; at < dimensions; at += 1) {
        const to = each * dimensions + at;
        means[to] = (means[to] as number) + (sums[group * dimensions + at] as number);
        spreads[to] = (spreads[to] as number) + (spreadSums[group * dimensions + at] as number);
      }
    }
  }
  let total = 0;
  for (let each = 0; each < classes; each += 1) {
    const count = spreadRows[each] as number;
    total += count;
    const first = each * dimensions;
    for (let at = first; at < first + dimensions; at += 1)
      means[at] = (means[at] as number) / Math.max(1e-6, rows[each] as number);
    if (count === 0) continue;
    for (let a = 0; a < dimensions; a += 1) {
      const value = (spreads[first + a] as number) / count;
      for (let b = 0; b <= a; b += 1) {
        covariance[a * dimensions + b] =
          (covariance[a * dimensions + b] as number) - value * (spreads[first + b] as number);
      }
    }
  }
  const freedom = Math.max(1, total - classes);
  for (let at = 0; at < covariance.length; at += 1) covariance[at] = (covariance[at] as number) / freedom;
  return { covariance, means, counts: rows };
}

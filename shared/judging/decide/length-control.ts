/** A pair with a judge's decision. */
export interface JudgedPair {
  readonly winner: 'before' | 'after';
  readonly characters: { readonly before: number; readonly after: number };
}

export interface LengthControl {
  /** Expected share of wins of the new answers at the length of the originals. */
  readonly winRate: number;
  readonly interval95: readonly [number, number];
  /** Change of the log-odds of winning for an answer that is e times as long. */
  readonly effect: number;
}

/** Minimum number of pairs to estimate two coefficients. */
export const PAIRS_MIN = 20;

/** Weight of the squared coefficients: keeps them finite for judges who always choose one side. */
const RIDGE = 0.1;
const STEPS_MAX = 50;
const Z975 = 1.959963984540054;

/**
 * The win rate at equal length, as in length-controlled AlpacaEval (Dubois et al. 2024, arXiv 2404.04475): the logistic
 * regression logit P(after wins) = a + b · ln(length after / length before), read at equal lengths. Null for fewer than
 * `PAIRS_MIN` pairs.
 */
export function controlLength(pairs: readonly JudgedPair[]): LengthControl | null {
  if (pairs.length < PAIRS_MIN) return null;
  const points = pairs.map(({ winner, characters }) => ({
    x: Math.log(characters.after + 1) - Math.log(characters.before + 1),
    y: winner === 'after' ? 1 : 0,
  }));
  const { intercept, slope, interceptVariance } = fitLogistic(points);
  const half = Z975 * Math.sqrt(interceptVariance);
  return {
    winRate: logistic(intercept),
    interval95: [logistic(intercept - half), logistic(intercept + half)],
    effect: slope,
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Newton's method on the ridge-penalized log-likelihood; a step that does not increase it is halved. */
function fitLogistic(points: readonly Point[]): {
  intercept: number;
  slope: number;
  interceptVariance: number;
} {
  let [a, b] = [0, 0];
  let value = penalizedLikelihood(points, a, b);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { gradient, curvature } = slopesAt(points, a, b);
    const [da, db] = solve(curvature, gradient);
    if (Math.abs(da) + Math.abs(db) < 1e-9) break;
    let share = 1;
    let next = penalizedLikelihood(points, a + da, b + db);
    while (next < value && share > 1e-6) {
      share /= 2;
      next = penalizedLikelihood(points, a + share * da, b + share * db);
    }
    if (next < value) break;
    [a, b, value] = [a + share * da, b + share * db, next];
  }
  const { curvature } = slopesAt(points, a, b);
  return { intercept: a, slope: b, interceptVariance: solve(curvature, [1, 0])[0] };
}

type Pair = readonly [number, number];
/** The upper triangle of a symmetric 2 × 2 matrix. */
type Curvature = readonly [aa: number, ab: number, bb: number];

function slopesAt(points: readonly Point[], a: number, b: number): { gradient: Pair; curvature: Curvature } {
  let [ga, gb, haa, hab, hbb] = [-RIDGE * a, -RIDGE * b, RIDGE, 0, RIDGE];
  for (const { x, y } of points) {
    const p = logistic(a + b * x);
    const weight = p * (1 - p);
    ga += y - p;
    gb += (y - p) * x;
    haa += weight;
    hab += weight * x;
    hbb += weight * x * x;
  }
  return { gradient: [ga, gb], curvature: [haa, hab, hbb] };
}

function solve([aa, ab, bb]: Curvature, [u, v]: Pair): Pair {
  const determinant = aa * bb - ab * ab;
  return [(bb * u - ab * v) / determinant, (aa * v - ab * u) / determinant];
}

function penalizedLikelihood(points: readonly Point[], a: number, b: number): number {
  return points.reduce(
    (sum, { x, y }) => sum - Math.log1p(Math.exp(y === 1 ? -(a + b * x) : a + b * x)),
    (-RIDGE / 2) * (a * a + b * b),
  );
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

/** Topics of a dataset at most; fewer where it has few rows. */
const TOPICS_MAX = 16;
/** Rows that are looked at for each topic at least. */
const ROWS_PER_TOPIC = 8;
const ROUNDS = 12;

/** A topic: the direction in which its rows lie, and the share of the rows that are of it. */
export interface Topic {
  readonly centre: Float32Array;
  readonly share: number;
}

/**
 * The mix of topics of a sample of rows: spherical k-means (Dhillon and Modha, "Concept decompositions for large sparse
 * text data using clustering", 2001), begun with vectors that are far from one another as k-means++ draws them (Arthur
 * and Vassilvitskii, 2007). The same for the same vectors and seed.
 * @param vectors of unit length, at least one
 */
export function findTopics(vectors: readonly Float32Array[], seed: string): Topic[] {
  const count = Math.max(1, Math.min(TOPICS_MAX, Math.floor(vectors.length / ROWS_PER_TOPIC)));
  let centres = drawCentres(vectors, count, seededRandom(`topics ${seed}`));
  let sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sums = centres.map((centre) => new Float64Array(centre.length));
    sizes = centres.map(() => 0);
    for (const vector of vectors) {
      const nearest = nearestOf(vector, centres);
      sizes[nearest] = (sizes[nearest] ?? 0) + 1;
      add(sums[nearest] as Float64Array, vector, 1);
    }
    // A centre that lost all its rows stays where it was, and has no share in the end.
    centres = sums.map((sum, at) => (sizes[at] === 0 ? (centres[at] as Float32Array) : toUnitLength(sum)));
  }
  return centres.flatMap((centre, at) => {
    const size = sizes[at] ?? 0;
    return size === 0 ? [] : [{ centre, share: size / vectors.length }];
  });
}

/** One in so many rows of the dataset itself may be farther from its topics than rows that are added on them. */
const FAR_ROWS = 20;

/** Rows that are added may be this much nearer to an unrelated text than the farthest of the dataset itself. */
const NEAR_SHARE = 0.8;
/** At this share of the way from an unrelated text to its own centre a row is near any topic: rows made of a template lie closer. */
const NEAR_ENOUGH = 0.5;

/** The rows that topics were found in, as vectors of unit length. */
export interface TopicSample {
  readonly vectors: readonly Float32Array[];
  /** Their prompts alone, as those of other rows are compared; the same where that is all there is of a row. */
  readonly asked: readonly Float32Array[];
  /** That of a text on none of the topics. */
  readonly unrelated: Float32Array;
}

/**
 * The similarity to the nearest topic that a row on the topics of a sample has at least: four fifths of the way from an
 * unrelated text to what all but the farthest twentieth of the sample have, each to topics that are found without it, and
 * at most half of the way to the topics' own centres. From -1 to 1; -1 for a single row.
 */
export function nearnessOf(
  topics: readonly Pick<Topic, 'centre'>[],
  { vectors, asked, unrelated }: TopicSample,
): number {
  const centres = topics.map(({ centre }) => centre);
  const nearest = vectors.map((vector) => nearestOf(vector, centres));
  const sums = centres.map((centre) => new Float64Array(centre.length));
  const sizes = centres.map(() => 0);
  for (const [at, vector] of vectors.entries()) {
    const own = nearest[at] as number;
    sizes[own] = (sizes[own] ?? 0) + 1;
    add(sums[own] as Float64Array, vector, 1);
  }
  const similarities = vectors.flatMap((vector, at) => {
    const own = nearest[at] as number;
    const without = add(Float64Array.from(sums[own] as Float64Array), vector, -1);
    const prompt = asked[at] as Float32Array;
    const others = centres.filter((_, topic) => topic !== own).map((centre) => product(prompt, centre));
    // Alone in its topic, a row has only the others.
    const all = sizes[own] === 1 ? others : [...others, product(prompt, toUnitLength(without))];
    return all.length === 0 ? [] : [Math.max(...all)];
  });
  const farthest = similarities.sort((a, b) => a - b)[Math.floor(similarities.length / FAR_ROWS)];
  if (farthest === undefined) return -1;
  const floor = Math.max(...centres.map((centre) => product(unrelated, centre)));
  return Math.min(
    farthest,
    floor + NEAR_SHARE * Math.max(0, farthest - floor),
    floor + NEAR_ENOUGH * (1 - floor),
  );
}

function add(sum: Float64Array, vector: Float32Array, sign: 1 | -1): Float64Array {
  for (let n = 0; n < vector.length; n += 1) sum[n] = (sum[n] as number) + sign * (vector[n] as number);
  return sum;
}

/** `total` rows divided among topics by their shares, by largest remainders: the parts sum to `total`. */
export function divideRows(total: number, shares: readonly number[]): number[] {
  const exact = shares.map((share) => share * total);
  const parts = exact.map(Math.floor);
  const order = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest || a.at - b.at);
  let left = total - parts.reduce((sum, part) => sum + part, 0);
  for (const { at } of order) {
    if (left <= 0) break;
    parts[at] = (parts[at] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}

function drawCentres(vectors: readonly Float32Array[], count: number, random: () => number): Float32Array[] {
  const centres = [vectors[Math.floor(random() * vectors.length)] as Float32Array];
  while (centres.length < count) {
    const distances = vectors.map((vector) =>
      Math.max(0, 1 - product(vector, centres[nearestOf(vector, centres)] as Float32Array)),
    );
    const total = distances.reduce((sum, distance) => sum + distance, 0);
    // All rows lie where there is a centre already.
    if (total < 1e-9) break;
    let left = random() * total;
    let chosen = distances.findIndex((distance) => {
      left -= distance;
      return left < 0;
    });
    if (chosen === -1) chosen = distances.length - 1;
    centres.push(vectors[chosen] as Float32Array);
  }
  return centres;
}

function nearestOf(vector: Float32Array, centres: readonly Float32Array[]): number {
  let nearest = 0;
  let best = Number.NEGATIVE_INFINITY;
  for (const [at, centre] of centres.entries()) {
    const similarity = product(vector, centre);
    if (similarity > best) {
      best = similarity;
      nearest = at;
    }
  }
  return nearest;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n += 1) sum += (a[n] as number) * (b[n] as number);
  return sum;
}

function toUnitLength(sum: Float64Array): Float32Array {
  const length = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
}

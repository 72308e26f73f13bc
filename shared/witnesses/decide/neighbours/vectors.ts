/** Vectors of one length, one after another. */
export interface Vectors {
  readonly count: number;
  readonly dimensions: number;
  readonly values: Float32Array;
}

export function newVectors(count: number, dimensions: number): Vectors {
  return { count, dimensions, values: new Float32Array(count * dimensions) };
}

/** The inner product of one vector of each. */
export function product(left: Vectors, leftRow: number, right: Vectors, rightRow: number): number {
  const { dimensions, values: a } = left;
  const b = right.values;
  let at = leftRow * dimensions;
  let other = rightRow * dimensions;
  const end = at + dimensions;
  const whole = end - 3;
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (; at < whole; at += 4, other += 4) {
    first += (a[at] as number) * (b[other] as number);
    second += (a[at + 1] as number) * (b[other + 1] as number);
    third += (a[at + 2] as number) * (b[other + 2] as number);
    fourth += (a[at + 3] as number) * (b[other + 3] as number);
  }
  for (; at < end; at += 1, other += 1) first += (a[at] as number) * (b[other] as number);
  return first + second + third + fourth;
}

/**
 * The vectors less their mean, each of length 1: what all texts of a column share, such as a template, says nothing
 * about one of them. A vector that is the mean, or no number, becomes zeros.
 */
export function centre(vectors: Vectors): Vectors {
  const { count, dimensions, values } = vectors;
  const mean = new Float64Array(dimensions);
  for (let at = 0, dimension = 0; at < values.length; at += 1) {
    mean[dimension] = (mean[dimension] as number) + (values[at] as number) / count;
    dimension = dimension + 1 === dimensions ? 0 : dimension + 1;
  }
  const centred = newVectors(count, dimensions);
  for (let row = 0; row < count; row += 1) {
    const start = row * dimensions;
    let squares = 0;
    for (let dimension = 0; dimension < dimensions; dimension += 1) {
      squares += ((values[start + dimension] as number) - (mean[dimension] as number)) ** 2;
    }
    const scale = squares > 1e-9 ? 1 / Math.sqrt(squares) : 0;
    if (scale === 0) continue;
    for (let dimension = 0; dimension < dimensions; dimension += 1) {
      centred.values[start + dimension] =
        ((values[start + dimension] as number) - (mean[dimension] as number)) * scale;
    }
  }
  return centred;
}

/** Numbers of a sketch: the product of two is the cosine of their vectors, but for about 0.12. */
const SKETCH_DIMENSIONS = 64;

/** Projects some of the vectors at random, always in the same way (Achlioptas 2003: Database-friendly Random Projections). */
export function sketchVectors({ dimensions, values }: Vectors, rows: readonly number[]): Vectors {
  const sketches = newVectors(rows.length, SKETCH_DIMENSIONS);
  const scale = 1 / Math.sqrt(SKETCH_DIMENSIONS);
  let state = 1;
  const signs = Float32Array.from({ length: SKETCH_DIMENSIONS * dimensions }, () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return state < 0 ? -scale : scale;
  });
  const projection: Vectors = { count: SKETCH_DIMENSIONS, dimensions, values: signs };
  const all: Vectors = { count: values.length / Math.max(1, dimensions), dimensions, values };
  for (const [n, row] of rows.entries()) {
    for (let at = 0; at < SKETCH_DIMENSIONS; at += 1) {
      sketches.values[n * SKETCH_DIMENSIONS + at] = product(all, row, projection, at);
    }
  }
  return sketches;
}

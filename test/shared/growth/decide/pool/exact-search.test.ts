import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hit, Nearest, VectorSet } from '#shared/growth/decide/pool/exact-search.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

function randomVectors(count: number, dimensions: number, seed: string): Float32Array {
  const random = seededRandom(seed);
  return Float32Array.from({ length: count * dimensions }, () => random() - 0.5);
}

/** Every product in 64 bits, then all of them sorted. */
function searchByHand(vectors: Float32Array, query: Float32Array, k: number): Hit[] {
  const dimensions = query.length;
  return Array.from({ length: vectors.length / dimensions }, (_, row) => {
    let score = 0;
    for (let n = 0; n < dimensions; n += 1) {
      score += (vectors[row * dimensions + n] as number) * (query[n] as number);
    }
    return { row, score };
  })
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, k);
}

const setOf = (vectors: Float32Array, dimensions: number, queries = 16): VectorSet => {
  const set = new VectorSet(dimensions, vectors.length / dimensions, queries);
  set.add(vectors);
  return set;
};

test('exact search finds what a look at every product finds, for any number of rows, dimensions, queries and hits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 600 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 30 }),
      fc.integer(),
      (rows, dimensions, count, k, seed) => {
        const vectors = randomVectors(rows, dimensions, `rows ${seed}`);
        const queries = Array.from({ length: count }, (_, n) =>
          randomVectors(1, dimensions, `query ${n} ${seed}`),
        );

        const found = setOf(vectors, dimensions).search(queries, k);

        expect(found).toEqual(queries.map((query) => searchByHand(vectors, query, k)));
      },
    ),
    { numRuns: 100, seed: 7 },
  );
});

test.each(['a', 'b', 'c', 'd', 'e', 'f'])(
  'exact search tells rows apart whose scores are the same in 32 bits (%s)',
  (name) => {
    const dimensions = 384;
    const base = randomVectors(1, dimensions, `base ${name}`);
    const rows = 1000;
    const vectors = new Float32Array(rows * dimensions);
    const random = seededRandom(`steps ${name}`);
    for (let row = 0; row < rows; row += 1) {
      vectors.set(base, row * dimensions);
      // One unit in the last place of a few floats: far below what a sum of 384 products errs by.
      for (let n = 0; n < 3; n += 1) {
        const at = row * dimensions + Math.floor(random() * dimensions);
        vectors[at] = (vectors[at] as number) * (1 + (random() < 0.5 ? -1 : 1) * 2 ** -23);
      }
    }
    const query = randomVectors(1, dimensions, `query ${name}`);

    const [one] = setOf(vectors, dimensions).search([query], 10);
    const [ofMany] = setOf(vectors, dimensions).search([query, query, query, query], 10);

    expect(one).toEqual(searchByHand(vectors, query, 10));
    expect(ofMany).toEqual(one);
  },
);

test('exact search puts the lower row first among equals', () => {
  const vectors = Float32Array.from({ length: 8 * 700 }, () => 0.25);

  const [found] = setOf(vectors, 8).search([vectors.subarray(0, 8)], 5);

  expect(found?.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4]);
});

test('exact search gives each query as many hits as are asked for it', () => {
  const vectors = randomVectors(400, 16, 'rows');
  const queries = ['a', 'b', 'c'].map((name) => randomVectors(1, 16, name));

  const found = setOf(vectors, 16).search(queries, [0, 3, 50]);

  expect(found).toEqual(queries.map((query, n) => searchByHand(vectors, query, [0, 3, 50][n] as number)));
});

test('exact search refuses vectors and queries that do not fit', () => {
  const set = new VectorSet(8, 2, 1);

  expect(() => set.add(new Float32Array(12))).toThrow('no vectors');
  expect(() => set.add(new Float32Array(24))).toThrow('no vectors');
  expect(() => set.search([new Float32Array(7)], 1)).toThrow('other dimensions');
  expect(() => set.search([new Float32Array(8), new Float32Array(8)], 1)).toThrow('1 queries');
});

test('a heap of the nearest keeps the best of what it is offered in any order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 12 }),
      (scores, k) => {
        const nearest = new Nearest(k);
        for (const [row, score] of scores.entries()) nearest.offer(row, score);

        const best = scores.map((score, row) => ({ row, score }));
        best.sort((a, b) => b.score - a.score || a.row - b.row);
        expect(nearest.sorted()).toEqual(best.slice(0, k));
      },
    ),
    { seed: 3 },
  );
});

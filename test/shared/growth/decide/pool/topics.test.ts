import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideRows, findTopics, nearnessOf } from '#shared/growth/decide/pool/topics.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

/** `count` vectors of unit length around the axis `axis`. */
function around(axis: number, count: number, seed: string): Float32Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: 8 }, (_, n) => (n === axis ? 1 : 0.2 * (random() - 0.5)));
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

test('topics are the directions in which rows lie, with their shares', () => {
  const vectors = [...around(0, 60, 'a'), ...around(3, 30, 'b'), ...around(5, 10, 'c')];

  const topics = findTopics(vectors, 'seed');

  expect(topics.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  const shareOf = (axis: number) =>
    topics.filter(({ centre }) => (centre[axis] ?? 0) > 0.9).reduce((sum, { share }) => sum + share, 0);
  expect([shareOf(0), shareOf(3), shareOf(5)]).toEqual([0.6, 0.3, 0.1].map((share) => expect.closeTo(share)));
  for (const { centre } of topics) expect(Math.hypot(...centre)).toBeCloseTo(1);
});

test('topics are the same for the same rows and seed', () => {
  const vectors = [...around(0, 60, 'a'), ...around(3, 30, 'b')];

  expect(findTopics(vectors, 'seed')).toEqual(findTopics(vectors, 'seed'));
});

test('rows that are all the same are one topic, and so is a single row', () => {
  const [one] = around(0, 1, 'a') as [Float32Array];

  expect(findTopics([one], 'seed')).toHaveLength(1);
  expect(findTopics(Array(100).fill(one), 'seed')).toEqual([{ centre: expect.anything(), share: 1 }]);
});

test('rows are divided by the shares, and none is lost', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 16 }),
      (total, weights) => {
        const sum = weights.reduce((all, weight) => all + weight, 0);
        const parts = divideRows(
          total,
          weights.map((weight) => weight / sum),
        );

        expect(parts.reduce((all, part) => all + part, 0)).toBe(total);
        for (const [n, part] of parts.entries()) {
          expect(Math.abs(part - (total * (weights[n] ?? 0)) / sum)).toBeLessThan(1 + 1e-6);
        }
      },
    ),
    { seed: 1 },
  );
});

test('rows are near the topics of a sample that lie as its own rows do, and not those that lie elsewhere', () => {
  const sample = [...around(0, 60, 'a'), ...around(3, 30, 'b')];
  const [unrelated] = around(7, 1, 'u') as [Float32Array];
  const topics = findTopics(sample, 'seed');
  const similarity = (vector: Float32Array): number =>
    Math.max(
      ...topics.map(({ centre }) => centre.reduce((sum, value, n) => sum + value * (vector[n] ?? 0), 0)),
    );

  const nearness = nearnessOf(topics, { vectors: sample, asked: sample, unrelated });

  const others = [...around(0, 40, 'c'), ...around(3, 40, 'd')].map(similarity);
  expect(Math.min(...others)).toBeGreaterThan(nearness);
  expect(Math.max(...around(5, 40, 'e').map(similarity))).toBeLessThan(nearness);
});

test('rows are all near the topics of a sample of one row, and of rows alike those at half of the way to them', () => {
  const [one, unrelated] = [around(0, 1, 'a')[0], around(7, 1, 'u')[0]] as [Float32Array, Float32Array];
  const alike = Array<Float32Array>(50).fill(one);

  expect(nearnessOf(findTopics([one], 'seed'), { vectors: [one], asked: [one], unrelated })).toBe(-1);
  expect(nearnessOf(findTopics(alike, 'seed'), { vectors: alike, asked: alike, unrelated })).toBeCloseTo(
    0.5,
    1,
  );
});

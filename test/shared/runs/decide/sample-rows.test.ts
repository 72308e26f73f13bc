import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleNested } from '#shared/runs/decide/sample-rows.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, row) => row);

test('a nested sample has as many rows as asked for, each once, in ascending order, the same for the same seed', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(150), fc.string(), (population, count, seed) => {
      const sample = sampleNested(upTo(population), count, seed);

      expect(sample).toHaveLength(Math.min(population, count));
      expect(sample).toEqual([...new Set(sample)].sort((a, b) => a - b));
      expect(sample.every((row) => row < population)).toBe(true);
      expect(sampleNested(upTo(population), count, seed)).toEqual(sample);
    }),
    { numRuns: 100 },
  );
});

test('a nested sample of a grown population loses rows to new ones only', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), fc.nat(120), fc.string(), (population, grown, count, seed) => {
      const before = new Set(sampleNested(upTo(population), count, seed));
      const after = sampleNested(upTo(population + grown), count, seed);

      expect(after.filter((row) => row < population && !before.has(row))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('a nested sample of 100,000 rows stays but for one or two when 1,000 are added', () => {
  const before = sampleNested(upTo(100_000), 100, 'a dataset');
  const after = new Set(sampleNested(upTo(101_000), 100, 'a dataset'));

  expect(before.filter((row) => after.has(row)).length).toBeGreaterThanOrEqual(95);
});

test('a nested sample takes every row equally often', () => {
  const [population, count, seeds] = [200, 20, 4000];
  const taken = new Array<number>(population).fill(0);
  for (let seed = 0; seed < seeds; seed += 1) {
    for (const row of sampleNested(upTo(population), count, `seed ${seed}`))
      taken[row] = (taken[row] ?? 0) + 1;
  }

  const share = count / population;
  const mean = seeds * share;
  const chiSquare = taken.reduce((sum, rows) => sum + (rows - mean) ** 2 / (mean * (1 - share)), 0);
  // About 200 degrees of freedom: 280 is exceeded once in 6,000 draws, and 130 is fallen below as rarely.
  expect(chiSquare).toBeLessThan(280);
  expect(chiSquare).toBeGreaterThan(130);
});

test('a nested sample takes neighbours independently of each other', () => {
  const [population, count, seeds] = [1000, 100, 1000];
  let pairs = 0;
  for (let seed = 0; seed < seeds; seed += 1) {
    const sample = new Set(sampleNested(upTo(population), count, `seed ${seed}`));
    for (const row of sample) if (sample.has(row + 1)) pairs += 1;
  }

  // 999 neighbours, both of which are taken with a probability of 100/1000 · 99/999.
  expect(pairs / seeds).toBeGreaterThan(9.3);
  expect(pairs / seeds).toBeLessThan(10.5);
});

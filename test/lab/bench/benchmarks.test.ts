import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Surroundings } from '#lab/bench/benchmark.ts';
import { benchmarks } from '#lab/bench/benchmarks.ts';
import { testBenchmarks } from '#test/helpers/tiny-benchmarks.ts';

testBenchmarks('build', 60_000);

test('benchmarks of every kind have a file of tests, and names of their own', () => {
  const files: Record<Surroundings, string> = {
    build: 'benchmarks.test.ts',
    cloud: 'benchmarks.cloud.test.ts',
    models: 'benchmarks.model.test.ts',
  };
  const names = benchmarks.map(({ name }) => name);

  expect(readdirSync(import.meta.dirname)).toEqual(expect.arrayContaining(Object.values(files)));
  expect(new Set(benchmarks.map(({ needs }) => needs))).toEqual(new Set(Object.keys(files)));
  expect(new Set(names).size).toBe(names.length);
});

import { expect, test } from 'vitest';
import type { BenchCloud, Surroundings } from '#lab/bench/benchmark.ts';
import { benchmarks } from '#lab/bench/benchmarks.ts';
import { measuredOf } from '#lab/bench/table.ts';

/**
 * Runs each benchmark that needs these surroundings once, with tiny inputs. Its ratios say nothing: they are only to be
 * numbers.
 */
export function testBenchmarks(needs: Surroundings, timeout: number, cloud?: BenchCloud): void {
  const own = benchmarks.filter((each) => each.needs === needs);
  // Several wait most of the time.
  test.concurrent.each(own)(
    'benchmark $name measures a figure for each of its goals',
    { timeout },
    async (each) => {
      const measured = measuredOf(each, await each.run('tiny', cloud));

      expect(measured.length).toBeGreaterThan(0);
      // A figure of nothing, or of no work, is none. A difference of two times may be below zero on a busy machine.
      expect(measured.filter(({ figure: { ratio } }) => !Number.isFinite(ratio) || ratio === 0)).toEqual([]);
    },
  );
}

import { testCloud } from '#test/helpers/test-cloud.ts';
import { testBenchmarks } from '#test/helpers/tiny-benchmarks.ts';

testBenchmarks('cloud', 60_000, testCloud());

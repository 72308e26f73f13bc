import { testBenchmarks } from '#test/helpers/tiny-benchmarks.ts';

// The packages of the GPU trainer may still be installing.
testBenchmarks('models', 900_000);

import { testChaos } from '#test/helpers/chaos.ts';

testChaos({ rows: 5000, latencyMilliseconds: 200, seed: 42 });

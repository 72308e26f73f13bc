import { testChaos } from '#test/helpers/chaos.ts';

testChaos({ rows: 500, latencyMilliseconds: 100, seed: 11 });

import { ALL_REPETITIONS } from '#bin/test-stages.ts';

/**
 * How often a test repeats what it draws at random: as often as it says in `npm run test:all`, a fifth of that in
 * `npm test` and while working.
 */
export const repetitions = (all: number): number =>
  process.env[ALL_REPETITIONS] === undefined ? Math.ceil(all / 5) : all;

import { defineConfig } from 'vitest/config';
import { type AreaName, areas } from './lab/mutations/areas.ts';
import { unitTests } from './vitest.config.ts';

/** For Stryker (lab/mutations.ts): the unit tests of the area that MUTATION_AREA names. */
const { tests } = areas[process.env.MUTATION_AREA as AreaName];

export default defineConfig({
  test: { ...unitTests, include: [...tests], setupFiles: ['test/helpers/fixed-seed.ts'], isolate: false },
});

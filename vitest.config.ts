import { defineConfig } from 'vitest/config';

const always = {
  env: { NODE_ENV: 'test', POWERTOOLS_LOG_LEVEL: 'ERROR', POWERTOOLS_DEV: 'true' },
  testTimeout: 20_000,
};

/**
 * `unit` needs nothing running. `cloud` needs the emulator with the deployed stacks, `model` the local model server:
 * both are started by the set-up of their project and stopped after it. `long` holds the variants that take minutes.
 */
export default defineConfig({
  test: {
    // What a test prints is shown where it fails.
    silent: 'passed-only',
    projects: [
      {
        test: {
          ...always,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['**/*.{cloud,model,long}.test.ts'],
        },
      },
      {
        test: {
          ...always,
          name: 'model',
          include: ['test/**/*.model.test.ts'],
          globalSetup: ['test/helpers/model-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          ...always,
          name: 'cloud',
          include: ['test/**/*.cloud.test.ts'],
          globalSetup: ['test/helpers/cloud-setup.ts'],
          setupFiles: ['test/helpers/cloud-environment.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...always,
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          globalSetup: ['test/helpers/cloud-setup.ts'],
          setupFiles: ['test/helpers/cloud-environment.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});

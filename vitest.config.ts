import { availableParallelism, totalmem } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import LongestFirst from './test/helpers/longest-first.ts';

const always = {
  env: { NODE_ENV: 'test', POWERTOOLS_LOG_LEVEL: 'ERROR', POWERTOOLS_DEV: 'true' },
  testTimeout: 20_000,
  // What takes milliseconds alone takes seconds beside a deployment.
  expect: { poll: { timeout: 15_000 } },
};

/** Each look is a call of the deployed service, which costs the tests beside it their time. */
const deployed = { ...always, expect: { poll: { timeout: 15_000, interval: 300 } } };

/** The client's sources, as tsconfig.json names them: its package is built for others. */
export const clientSources = {
  alias: [
    { find: /^tunesmith$/, replacement: `${import.meta.dirname}/clients/typescript/src/index.ts` },
    { find: /^tunesmith\/node$/, replacement: `${import.meta.dirname}/clients/typescript/src/node.ts` },
  ],
};

/** With the stage, as the stack tells every function. */
export const unitTests = {
  ...always,
  // Tests that read the source start TypeScript, which is written in Go: it collects garbage rarely.
  env: { ...always.env, STAGE: 'test', GOGC: '800' },
  // The longest tests take 15 seconds alone, and several times that beside a deployment.
  testTimeout: 90_000,
  hookTimeout: 90_000,
};

/** Processes for unit tests: a machine of two cores keeps both busy. */
const workers = Math.max(2, availableParallelism());

/**
 * Clouds that run at once, each with an emulator and a model of its own: their tests wait as much as they work. The
 * processes of one cloud take up to 9 GB.
 */
const clouds = totalmem() > 20e9 ? 2 : 1;

/** Unit tests that change their whole process for good: each gets one that ends with it. */
const alone = ['test/functions/tasks/tools/call-tool-server.test.ts'];

/**
 * Unit tests of every template, bundle or expression of the source, of hostile files and bodies, or with other programs: a
 * third of the processor time of all unit tests. `npm test` leaves them out.
 */
const exhaustive = [
  'test/lab/bench/benchmarks.test.ts',
  'test/lab/effect/check-answer.test.ts',
  'test/lab/effect/comparison-measure.test.ts',
  'test/lab/effect/run-rows.test.ts',
  'test/bin/build/bundle-imports.test.ts',
  'test/build.test.ts',
  'test/contract/any-input.test.ts',
  'test/contract/prototype-names.test.ts',
  'test/infra/arn-partitions.test.ts',
  'test/infra/checks.test.ts',
  'test/infra/policy-size.test.ts',
  'test/infra/settings.test.ts',
  'test/record-lookups.test.ts',
  'test/regular-expressions.test.ts',
  'test/shared/parsers.test.ts',
  'test/shared/responses/adapters/mcp/conformance.test.ts',
  'test/shared/tabular/adapters/documents/bad-documents.test.ts',
  'test/shared/tabular/adapters/hostile-parquet.test.ts',
  'test/simulation/ledger-model.test.ts',
  'test/simulation/simulation.test.ts',
  'test/statemachines/second-interpreter.test.ts',
];

/**
 * `unit` needs nothing running, and its files share a few processes: what a test changes there (environment, console,
 * clock), it puts back. `alone` is for those that cannot, `exhaustive` for those that take long. `cloud` needs the
 * emulator with the deployed stacks, which the set-up of the project starts and stops. `model` needs the packages and weights of
 * local models, which its set-up installs. `long` holds the variants that take minutes.
 */
export default defineConfig({
  test: {
    // What a test prints is shown where it fails.
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: clientSources,
        test: {
          ...unitTests,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.{cloud,model,long}.test.ts', ...alone, ...exhaustive],
          isolate: false,
          maxWorkers: workers,
        },
      },
      {
        resolve: clientSources,
        test: {
          ...unitTests,
          name: 'alone',
          include: alone,
          maxWorkers: workers,
        },
      },
      {
        resolve: clientSources,
        test: {
          ...unitTests,
          name: 'exhaustive',
          include: exhaustive,
          isolate: false,
          maxWorkers: workers,
        },
      },
      {
        resolve: clientSources,
        test: {
          ...always,
          name: 'model',
          include: ['test/**/*.model.test.ts'],
          globalSetup: ['test/helpers/model-setup.ts'],
          testTimeout: 120_000,
          // Beside the cloud tests, a deployment gets what processor time is left.
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
      {
        resolve: clientSources,
        test: {
          ...deployed,
          name: 'cloud',
          include: ['test/**/*.cloud.test.ts'],
          globalSetup: ['test/helpers/cloud-setup.ts'],
          setupFiles: ['test/helpers/cloud-environment.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          isolate: false,
          maxWorkers: clouds,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: clientSources,
        test: {
          ...deployed,
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

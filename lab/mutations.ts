import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { type AreaName, areas } from './mutations/areas.ts';
import { replayMutations } from './mutations/replay.ts';

/**
 * `npm run test:mutations`: breaks the code and sees whether a test fails. Stryker breaks the files of one area after
 * another (lab/mutations/areas.ts) in a copy of the working tree, then the mutations of lab/mutations/table.ts are replayed.
 * Words select: the name of an area, or `by-hand`. `--incremental` keeps the results of mutants whose file and tests are
 * as they were. Exits with 1 if an area is below its threshold or a mutation by hand survives.
 */
const BY_HAND = 'by-hand';
const names = [...(Object.keys(areas) as AreaName[]), BY_HAND] as const;

async function runArea(name: AreaName, incremental: boolean): Promise<void> {
  const { files, threshold } = areas[name];
  // For vitest.mutations.ts, in the processes that Stryker starts.
  process.env.MUTATION_AREA = name;
  await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    // Without `related`, which costs a walk through all imports for each mutant: the area names its tests.
    vitest: { configFile: 'vitest.mutations.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', './lab/mutations/ignore-texts.mjs'],
    ignorers: ['texts'],
    coverageAnalysis: 'perTest',
    // What is evaluated when a module is loaded is mostly schemas; each such mutant takes a new process.
    ignoreStatic: true,
    thresholds: { high: 100, low: threshold, break: threshold },
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
    jsonReporter: { fileName: `.local/mutations/${name}.report.json` },
    incremental,
    incrementalFile: `.local/mutations/${name}.json`,
    tempDirName: '.local/mutations/sandbox',
    ignorePatterns: ['.local', 'cdk.out', 'dist', 'docs'],
    // Stryker rewrites a tsconfig.json with functions that TypeScript 7 lacks; nothing here needs it rewritten.
    tsconfigFile: 'none',
    allowConsoleColors: false,
  }).runMutationTest();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { incremental: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((word) => !names.some((name) => name === word));
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: there are ${names.join(', ')}.`);
for (const name of names) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`— ${name}`);
  if (name === BY_HAND) await replayMutations();
  else await runArea(name, values.incremental);
}

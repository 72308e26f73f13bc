import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { localDirectory, repositoryRoot } from '#local/paths.ts';

/** A variable of the environment, with which random tests repeat what they draw as often as they say. */
export const ALL_REPETITIONS = 'TEST_ALL_REPETITIONS';

/** The projects of vitest.config.ts that need nothing running. */
export const UNIT_PROJECTS = ['unit', 'alone', 'exhaustive'] as const;

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed: the test's file, its title and the first line of its error. */
  readonly failures: readonly string[];
}

/**
 * The output of a stage beside another one, or in the background, is shown when it has ended. One in the background has
 * lower priority: it mostly takes the processor time that the others leave.
 */
type Place = 'foreground' | 'beside' | 'background';

/**
 * For the checks and the build, whose programs are written in Go: they collect garbage rarely. TypeScript takes 15 s of
 * processor time, instead of 19 with 200, and 2.4 GB with both.
 */
const RARE_COLLECTION = { GOGC: '800' };

/** A third of a normal process's share. At 10, a tenth, requests of unit tests exceeded their 25 seconds. */
const BACKGROUND_PRIORITY = 5;

export interface Stages {
  command(
    title: string,
    file: string,
    args: readonly string[],
    place?: Place,
  ): Promise<{ readonly title: string; readonly isDone: boolean }>;
  /** Runs the tests of some projects, limited to `files` if there are any. */
  vitest(title: string, projects: readonly string[], files: readonly string[], place?: Place): Promise<Tally>;
  /** Runs pytest on the GPU trainer. */
  trainerTests(title: string): Promise<Tally>;
}

/** The stages of `npm test`. Each prints its duration. */
export function createStages(): Stages {
  const began = performance.now();
  const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

  async function run(
    title: string,
    file: string,
    args: readonly string[],
    place: Place,
    env?: Readonly<Record<string, string>>,
  ): Promise<Ended> {
    const started = performance.now();
    if (place === 'foreground') console.log(`\n— ${title}`);
    const ended = await spawned(file, args, place, env);
    if (place !== 'foreground') console.log(`\n— ${title}\n${ended.output.trimEnd()}`);
    console.log(`— ${title}: ${since(started)}, after ${since(began)}`);
    return ended;
  }

  return {
    async command(title, file, args, place = 'foreground') {
      return { title, isDone: (await run(title, file, args, place, RARE_COLLECTION)).exit === 0 };
    },
    async vitest(title, projects, files, place = 'foreground') {
      const results = join(localDirectory, `test-results-${projects[0]}.json`);
      await rm(results, { force: true });
      const ended = await run(
        title,
        process.execPath,
        [
          join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs'),
          'run',
          ...projects.flatMap((project) => ['--project', project]),
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${results}`,
          ...files,
        ],
        place,
      );
      const tally = tallyOfVitest(await readFile(results, 'utf8').catch(() => '{}'), ended.exit);
      return withReason(tally, title, ended);
    },
    async trainerTests(title) {
      const ended = await run(title, 'npm', ['run', '--silent', 'test:trainer'], 'beside');
      return withReason(tallyOfPytest(ended.output, ended.exit), title, ended);
    },
  };
}

/** A process that ended. */
export interface Ended {
  /** Its exit code, or the signal that ended it. */
  readonly exit: number | string;
  /** What it printed on both streams, and on the second one. */
  readonly output: string;
  readonly errors: string;
}

/**
 * The tally of a process that failed, while it names no failed test: its last errors say why. An error outside of the
 * tests, or one while the set-up was taken down, is in no report.
 */
export function withReason(tally: Tally, title: string, { exit, errors }: Ended): Tally {
  if (tally.failed === 0 || tally.failures.length > 0) return tally;
  const lines = stripVTControlCharacters(errors)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const last = lines.slice(-LINES_OF_REASON).map((line) => `    ${line.slice(0, 400)}`);
  return { ...tally, failures: [[`${title}: ended with ${exit}`, ...last].join('\n')] };
}

/** An error of vitest outside of a test has a frame of code and up to ten lines of its stack. */
const LINES_OF_REASON = 40;

/** The counts and failures of vitest's JSON report. */
export function tallyOfVitest(report: string, exit: number | string): Tally {
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    testResults = [],
  } = JSON.parse(report);
  const failures = (testResults as VitestFile[]).flatMap(({ name, message, assertionResults }) => {
    const file = relative(repositoryRoot, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const titles = failed.map(({ fullName, failureMessages }) =>
      failure(file, fullName, failureMessages[0] ?? ''),
    );
    return titles.length === 0 && message ? [failure(file, 'the file', message)] : titles;
  });
  return tally(numPassedTests, numFailedTests, numPendingTests, exit, failures);
}

/** What is read of a file in vitest's JSON report. `message` is the error outside of its tests, if there was one. */
interface VitestFile {
  readonly name: string;
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

function failure(file: string, title: string, message: string): string {
  const [first = ''] = stripVTControlCharacters(message).split('\n', 1);
  return `${file}: ${title}: ${first.slice(0, 400)}`;
}

/** The counts of pytest's last line, and its lines on what failed. */
export function tallyOfPytest(output: string, exit: number | string): Tally {
  const lines = output.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(last)?.[1] ?? 0);
  const failures = lines.filter((line) => /^(FAILED|ERROR) /.test(line)).map((line) => line.slice(0, 400));
  return tally(count('passed'), count('failed') + count('error'), count('skipped'), exit, failures);
}

/** A run that exited with an error, or in which nothing passed, counts at least one failure. */
function tally(
  passed: number,
  failed: number,
  skipped: number,
  exit: number | string,
  failures: readonly string[],
): Tally {
  return { passed, failed: Math.max(failed, exit === 0 && passed > 0 ? 0 : 1), skipped, failures };
}

function spawned(
  file: string,
  args: readonly string[],
  place: Place,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(file, args, {
    cwd: repositoryRoot,
    // Vitest redraws what it prints only on a terminal of its own.
    stdio: ['ignore', place === 'foreground' ? 'inherit' : 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  if (place === 'background' && child.pid !== undefined) {
    setPriority(child.pid, BACKGROUND_PRIORITY);
  }
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    errors += text;
    if (place === 'foreground') process.stderr.write(text);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ exit: code ?? signal ?? 1, output, errors }));
  });
}

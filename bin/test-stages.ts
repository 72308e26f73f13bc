import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { localDirectory, repositoryRoot } from '#local/paths.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A background stage has lower priority, and its output is shown when it has ended. */
type Place = 'foreground' | 'background';

export interface Stages {
  command(
    title: string,
    file: string,
    args: readonly string[],
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
  ): Promise<{ code: number; output: string }> {
    const started = performance.now();
    if (place === 'foreground') console.log(`\n— ${title}`);
    const ended = await spawned(file, args, place);
    if (place === 'background') console.log(`\n— ${title}\n${ended.output.trimEnd()}`);
    console.log(`— ${title}: ${since(started)}, after ${since(began)}`);
    return ended;
  }

  return {
    async command(title, file, args) {
      return { title, isDone: (await run(title, file, args, 'foreground')).code === 0 };
    },
    async vitest(title, projects, files, place = 'foreground') {
      const results = join(localDirectory, `test-results-${projects[0]}.json`);
      await rm(results, { force: true });
      const { code } = await run(
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
      return tallyOfVitest(await readFile(results, 'utf8').catch(() => '{}'), code);
    },
    async trainerTests(title) {
      const { code, output } = await run(title, 'npm', ['run', '--silent', 'test:trainer'], 'background');
      return tallyOfPytest(output, code);
    },
  };
}

/** The counts of vitest's JSON report. */
export function tallyOfVitest(report: string, code: number): Tally {
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = JSON.parse(report);
  return tally(numPassedTests, numFailedTests, numPendingTests, code);
}

/** The counts of pytest's last line. */
export function tallyOfPytest(output: string, code: number): Tally {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return tally(count('passed'), count('failed') + count('error'), count('skipped'), code);
}

/** A run that exited with an error, or in which nothing passed, counts at least one failure. */
function tally(passed: number, failed: number, skipped: number, code: number): Tally {
  return { passed, failed: Math.max(failed, code === 0 && passed > 0 ? 0 : 1), skipped };
}

function spawned(
  file: string,
  args: readonly string[],
  place: Place,
): Promise<{ code: number; output: string }> {
  const child = spawn(file, args, {
    cwd: repositoryRoot,
    stdio: place === 'foreground' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  if (place === 'background' && child.pid !== undefined) {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  }
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

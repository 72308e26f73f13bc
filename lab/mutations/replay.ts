import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UNIT_PROJECTS } from '#bin/test-stages.ts';
import { repositoryRoot } from '#local/paths.ts';
import { type Mutation, mutations } from './table.ts';

const run = promisify(execFile);

/** Why a mutation cannot be applied to `text`, or null. */
export function faultOf(mutation: Pick<Mutation, 'file' | 'search'>, text: string): string | null {
  const count = text.split(mutation.search).length - 1;
  return count === 1 ? null : `${mutation.file} holds the text to break ${count} times: ${mutation.search}`;
}

/** A copy of the working tree as git sees it, with a link to the installed packages. */
export async function copyTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'mutations-'));
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of stdout.split('\0').filter((each) => each !== '')) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    // A file with an uncommitted deletion is still listed.
    await cp(join(repositoryRoot, path), join(copy, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

type Outcome = 'passed' | 'failed' | 'not run';

/** The result of each test file in the copy. */
async function runTests(copy: string, files: readonly string[]): Promise<Map<string, Outcome>> {
  const report = join(copy, '.mutation-report.json');
  await rm(report, { force: true });
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const projects = UNIT_PROJECTS.flatMap((name) => ['--project', name]);
  const command = [vitest, 'run', ...projects, '--reporter=json', `--outputFile=${report}`, ...files];
  // A failing test makes vitest exit with 1, which is the desired result here; details are in the report.
  await run(process.execPath, command, { cwd: copy, maxBuffer: 64 * 1024 * 1024 }).catch(() => {});
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    testResults: { name: string; assertionResults: { status: string }[] }[];
  };
  return new Map(
    files.map((file) => {
      const tests = testResults.find(({ name }) => name.endsWith(`/${file}`))?.assertionResults ?? [];
      const isFailed = tests.some(({ status }) => status === 'failed');
      return [file, tests.length === 0 ? 'not run' : isFailed ? 'failed' : 'passed'];
    }),
  );
}

/**
 * Breaks the copy by a mutation while `look` looks at it.
 * @throws {Error} if the code to break is not there exactly once
 */
export async function whileBroken<T>(
  copy: string,
  mutation: Pick<Mutation, 'file' | 'search' | 'replace'>,
  look: () => Promise<T>,
): Promise<T> {
  const path = join(copy, mutation.file);
  const text = await readFile(path, 'utf8');
  const fault = faultOf(mutation, text);
  if (fault !== null) throw new Error(fault);
  await writeFile(
    path,
    text.replace(mutation.search, () => mutation.replace),
  );
  try {
    return await look();
  } finally {
    await writeFile(path, text);
  }
}

/** Runs the test of a mutation in the copy; returns the fault, or null if the test failed as it should. */
async function replay(copy: string, mutation: Mutation): Promise<string | null> {
  try {
    const outcome = await whileBroken(copy, mutation, async () =>
      (await runTests(copy, [mutation.test])).get(mutation.test),
    );
    if (outcome === 'not run') return `${mutation.test} cannot be run on the broken code`;
    return outcome === 'failed' ? null : `${mutation.test} passes all the same`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Applies one mutation of the table after another, in a copy of the working tree, and runs the test that should see it.
 * Sets the exit code to 1 if a test does not fail, or if the code to mutate no longer exists.
 */
export async function replayMutations(): Promise<void> {
  const copy = await copyTree();
  const started = performance.now();
  let survivors = 0;
  try {
    const unbroken = await runTests(copy, [...new Set(mutations.map(({ test }) => test))]);
    for (const [index, mutation] of mutations.entries()) {
      const before = unbroken.get(mutation.test);
      const problem =
        before === 'passed'
          ? await replay(copy, mutation)
          : `${mutation.test} is ${before} on the whole code`;
      if (problem !== null) survivors += 1;
      console.log(
        `${index + 1}/${mutations.length} ${problem === null ? 'seen    ' : 'SURVIVED'} ${mutation.guarantee}`,
      );
      if (problem !== null) console.log(`    ${problem}`);
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `\n${mutations.length - survivors} of ${mutations.length} mutations were seen, in ${seconds} s.`,
  );
  if (survivors > 0) process.exitCode = 1;
}

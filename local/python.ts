import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, runCommand } from './child.ts';
import { acquireLock, LockHeldError } from './lock.ts';
import { localDirectory, repositoryRoot } from './paths.ts';
import { type Progress, silentProgress } from './progress.ts';
import { isNewEnough, oldestPython, pythonAdvice, pythonCandidates } from './python-version.mjs';

/** `emulator` for the local cloud, `test` for the tests. */
export type RequirementSet = 'emulator' | 'test';

const requirementFiles: Readonly<Record<RequirementSet, string>> = {
  emulator: join(repositoryRoot, 'local', 'requirements.txt'),
  test: join(repositoryRoot, 'local', 'requirements-test.txt'),
};

/**
 * Ensures that `.local/venv` has the packages of the given sets, in their pinned versions. Does nothing if they are
 * installed.
 * @returns the path of the environment's interpreter.
 * @throws {Error} with a command that fixes it if Python 3.11, venv or a package is missing.
 */
export async function ensurePython(
  sets: readonly RequirementSet[] = ['emulator'],
  progress: Progress = silentProgress,
): Promise<string> {
  const directory = join(localDirectory, 'venv');
  const interpreter = join(directory, 'bin', 'python');
  const missing = () => sets.filter((set) => !existsSync(markerPath(directory, set)));
  if (existsSync(interpreter) && missing().length === 0) return interpreter;

  const release = await waitForLock(`${directory}.lock`);
  try {
    await requireEnvironment(directory);
    for (const set of missing()) {
      await progress.step(`Python packages (${set})`, async () => {
        removeMarkers(directory, `installed-${set}-`);
        await pipInstall(interpreter, ['-r', requirementFiles[set]]);
        writeFileSync(markerPath(directory, set), '');
      });
    }
  } finally {
    release();
  }
  return interpreter;
}

/**
 * Environment with which Python programs keep their compiled modules, outside of the sources. Packages are installed
 * without compiling them, and where nothing keeps what an import compiles, each start of torch takes three times as long.
 */
export const bytecodeEnvironment = {
  PYTHONDONTWRITEBYTECODE: '',
  PYTHONPYCACHEPREFIX: join(localDirectory, 'bytecode'),
} as const;

/** Installs packages into the environment of an interpreter; the last argument names them in errors. */
export async function pipInstall(interpreter: string, args: readonly string[]): Promise<void> {
  // Of the trainer's 12,700 modules, imports compile those that they need.
  const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'];
  await runCommand(interpreter, ['-m', 'pip', 'install', ...options, ...args], {
    what: `Installing ${args.at(-1)}`,
    environment: process.env,
    hint: 'Check that this machine reaches a Python package index (pip config list), then run the command again.',
  });
}

/** Removes the markers of what was installed before: its packages are replaced, also if that is interrupted. */
export function removeMarkers(directory: string, prefix: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(prefix)) rmSync(join(directory, name));
  }
}

/**
 * Creates a virtual environment, unless there is one that can install packages: one whose creation was interrupted has an
 * interpreter without pip.
 * @throws {Error} with a command that fixes it if Python 3.11 or venv is missing.
 */
export async function requireEnvironment(directory: string): Promise<void> {
  if (await hasPip(join(directory, 'bin', 'python'))) return;
  rmSync(directory, { recursive: true, force: true });
  const python = await findPython();
  await runCommand(python, ['-m', 'venv', directory], {
    what: `Creating a virtual environment with ${python}`,
    environment: process.env,
    hint: 'Debian and Ubuntu ship venv apart: sudo apt-get install python3-venv',
  });
}

async function findPython(): Promise<string> {
  const chosen = process.env.TUNESMITH_PYTHON;
  for (const candidate of chosen === undefined ? pythonCandidates : [chosen]) {
    const version = await versionOf(candidate);
    if (version !== undefined && isNewEnough(version)) return candidate;
  }
  throw new Error(
    `The local cloud needs ${oldestPython} or newer, and ` +
      `${chosen ?? 'none of the interpreters on the PATH'} is. ${pythonAdvice}`,
  );
}

async function versionOf(
  python: string,
  args: readonly string[] = ['--version'],
): Promise<string | undefined> {
  try {
    return await runCommand(python, args, { what: python, environment: process.env });
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

async function hasPip(interpreter: string): Promise<boolean> {
  return existsSync(interpreter) && (await versionOf(interpreter, ['-m', 'pip', '--version'])) !== undefined;
}

function markerPath(directory: string, set: RequirementSet): string {
  const hash = createHash('sha256').update(readFileSync(requirementFiles[set])).digest('hex').slice(0, 16);
  return join(directory, `installed-${set}-${hash}`);
}

/** Two commands of one checkout may need an environment at the same time; the second waits for the first. */
export async function waitForLock(path: string): Promise<() => void> {
  for (;;) {
    try {
      return acquireLock(path, new Date());
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
      await sleep(500);
    }
  }
}

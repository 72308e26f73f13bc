import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { repositoryRoot } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { ensurePython } from '#local/python.ts';
import { filesNaming } from './files-naming.ts';
import { UNIT_PROJECTS } from './test-stages.ts';

/**
 * `npm run test:changed`: fast checks of a change: format and lint of the changed files, types, and the unit tests that
 * import a changed file or, for a file that is not a module, contain its name. Changed means uncommitted, or since
 * another commit: `npm run test:changed -- main`.
 */
const [since = 'HEAD'] = process.argv.slice(2);
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).split('\n').filter(Boolean);
const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];

if (changed.length === 0) {
  console.log(`Nothing has changed since ${since}.`);
  process.exit(0);
}

// A file that is no module has no format and no types. One that was deleted may be imported by others.
const changedModules = changed.filter((file) => /\.(tsx?|mjs|json|css)$/.test(file));
const modules = changedModules.filter((file) => existsSync(join(repositoryRoot, file)));
const others = changed.filter((file) => !/\.tsx?$/.test(file));
const naming = filesNaming(others.flatMap((file) => [basename(file), `${dirname(file)}/`]));
const bin = (name: string): string => join(repositoryRoot, 'node_modules', '.bin', name);
const vitest = (...args: string[]) =>
  run('Tests', bin('vitest'), [
    ...args,
    '--run',
    ...UNIT_PROJECTS.flatMap((name) => ['--project', name]),
    '--passWithNoTests',
  ]);

// Some unit tests run Python programs: a linter of templates, servers of tools.
await ensurePython(['emulator', 'test'], createProgress());

const codes = await Promise.all([
  ...(modules.length === 0
    ? []
    : [run('Format and lint', bin('biome'), ['check', '--no-errors-on-unmatched', ...modules])]),
  ...(changedModules.length === 0
    ? []
    : [
        run('Types', bin('tsc'), ['--noEmit', '--checkers', '1']),
        run('Types of the console', bin('tsc'), ['--noEmit', '--checkers', '1', '--project', 'console']),
      ]),
  vitest('related', ...modules, ...naming),
]);
process.exitCode = Math.max(...codes);

function run(title: string, file: string, args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(file, args, { cwd: repositoryRoot, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`— ${title}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s`);
      resolve(code ?? 1);
    });
  });
}

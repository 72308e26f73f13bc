import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '#local/progress.ts';
import { ensurePython } from '#local/python.ts';

/**
 * `npm test`: installs what the tests need beside the npm packages, checks the code, builds, and runs every test.
 * Arguments after `--` go to vitest. The last line says how many passed and failed.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = join(ROOT, '.local', 'test-results.json');

function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}

async function step(title: string, command: string, args: readonly string[]): Promise<void> {
  const started = performance.now();
  console.log(`\n— ${title}`);
  if ((await run(command, args)) !== 0) {
    console.log(`\n${title} failed.\n0 passed, 1 failed`);
    process.exit(1);
  }
  console.log(`— ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

const isLong = process.argv.includes('--long');
const forwarded = process.argv.slice(2).filter((argument) => argument !== '--long');
const projects = isLong ? ['long'] : ['unit', 'model', 'cloud'];

await mkdir(join(ROOT, '.local'), { recursive: true });
await ensurePython(['emulator', 'test'], createProgress());
if (forwarded.length === 0) await step('Format, lint, types, dead code', 'npm', ['run', '--silent', 'check']);
await step('Build', 'npm', ['run', '--silent', 'build']);
const code = await run('npx', [
  'vitest',
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${RESULTS}`,
  ...forwarded,
]);
const results = JSON.parse(await readFile(RESULTS, 'utf8')) as {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
};
const failed = Math.max(results.numFailedTests, code === 0 ? 0 : 1);
console.log(`\n${results.numPassedTests} passed, ${failed} failed, ${results.numPendingTests} skipped`);
process.exit(code);

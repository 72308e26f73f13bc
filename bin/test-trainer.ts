import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { localDirectory } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { setTrainerStage, trainerDirectory } from '#local/trainer-environment.ts';
import {
  HeldOutAnswer,
  TrainerMessage,
  TrainerReport,
  TrainingExample,
  TrainingJob,
} from '#shared/schema/training-job.ts';

/**
 * `npm run test:trainer`: the Python trainer on the CPU, against the AWS emulator. Installs what it needs (PyTorch among
 * it), checks format and lint, and runs its tests. Arguments after `--` go to pytest, whose last line is the last.
 */
const progress = createProgress();
const workDirectory = join(localDirectory, 'trainer-test');
const { python, environment, stop } = await setTrainerStage(workDirectory, progress);
const bin = join(localDirectory, 'trainer-venv', 'bin');

function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(command, args, {
    cwd: trainerDirectory,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}

async function check(title: string, command: string, args: readonly string[]): Promise<void> {
  if ((await run(join(bin, command), args)) === 0) return;
  console.log(`${title} failed.`);
  await stop();
  process.exit(1);
}

/** What the control plane reads and writes, for the tests to hold the trainer to. */
function writeSchemas(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const schemas = { TrainingJob, TrainerMessage, TrainingExample, TrainerReport, HeldOutAnswer };
  for (const [name, schema] of Object.entries(schemas)) {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(z.toJSONSchema(schema)));
  }
}

await check('Lint', 'ruff', ['check', '--quiet', '.']);
await check('Format', 'ruff', ['format', '--quiet', '--check', '.']);
await check('Lint of the Dockerfile', 'hadolint', ['Dockerfile']);
writeSchemas(join(workDirectory, 'schemas'));

const code = await run(python, ['-m', 'pytest', ...process.argv.slice(2)], {
  ...environment,
  TUNESMITH_SCHEMAS: join(workDirectory, 'schemas'),
}).finally(stop);
process.exit(code);

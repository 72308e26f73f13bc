import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { runCommand } from '#local/child.ts';
import { localDirectory, repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { bytecodeEnvironment } from '#local/python.ts';
import { setTrainerStage, trainerDirectory } from '#local/trainer-environment.ts';
import {
  HeldOutAnswer,
  LendCredentialsReply,
  TrainerMessage,
  TrainerReport,
  TrainingExample,
  TrainingJob,
} from '#shared/training/schema/training-job.ts';
import { BUNDLING } from './build.ts';

/**
 * `npm run test:trainer`: tests the Python trainer on the CPU, against the AWS emulator, with exactly the permissions
 * of trainers in the stacks. Installs its dependencies (including PyTorch), checks format and lint, and runs its tests.
 * Arguments after `--` go to pytest, whose last line is the last.
 */
Object.assign(process.env, bytecodeEnvironment);
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

/** The control plane's schemas, which the tests compare the trainer with. */
function writeSchemas(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const schemas = {
    TrainingJob,
    TrainerMessage,
    LendCredentialsReply,
    TrainingExample,
    TrainerReport,
    HeldOutAnswer,
  };
  for (const [name, schema] of Object.entries(schemas)) {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(z.toJSONSchema(schema)));
  }
}

/** What the stacks allow to trainers and to their attempts, with placeholders for what the tests make. */
async function readTrainerPolicies(): Promise<string> {
  const script = join(repositoryRoot, 'test', 'infra', 'trainer-policy.ts');
  const printed = await runCommand(process.execPath, ['--import', typescriptLoader, script], {
    what: 'The synthesis of the trainers’ policies',
    environment: process.env,
    directory: repositoryRoot,
  });
  return printed.trim();
}

await check('Lint', 'ruff', ['check', '--quiet', '.']);
await check('Format', 'ruff', ['format', '--quiet', '--check', '.']);
await check('Lint of the Dockerfile', 'hadolint', ['Dockerfile']);
writeSchemas(join(workDirectory, 'schemas'));

const lender = join(workDirectory, 'lender.mjs');
await build({
  absWorkingDir: repositoryRoot,
  entryPoints: ['functions/tasks/attempts/lend-credentials.ts'],
  outfile: lender,
  ...BUNDLING,
});
const policies = await readTrainerPolicies();
const code = await run(python, ['-m', 'pytest', ...process.argv.slice(2)], {
  ...environment,
  TUNESMITH_SCHEMAS: join(workDirectory, 'schemas'),
  TRAINER_POLICIES: policies,
  LENDER: lender,
}).finally(stop);
process.exit(code);

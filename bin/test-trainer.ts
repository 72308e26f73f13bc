import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { emulatorIdentity, startEmulator } from '#local/emulator.ts';
import { localDirectory } from '#local/paths.ts';
import { findFreePort } from '#local/ports.ts';
import { createProgress } from '#local/progress.ts';
import { ensurePython } from '#local/python.ts';
import {
  ensureTrainedCheckpoint,
  ensureTrainerEnvironment,
  trainerDirectory,
} from '#local/trainer-environment.ts';
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
const python = await ensureTrainerEnvironment(progress);
const models = await ensureTrainedCheckpoint(python, progress);
const bin = join(localDirectory, 'trainer-venv', 'bin');
const workDirectory = join(localDirectory, 'trainer-test');

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

const emulator = await startEmulator({
  python: await ensurePython(['emulator'], progress),
  port: await findFreePort(),
  stateDirectory: workDirectory,
  fresh: true,
});
const code = await run(python, ['-m', 'pytest', ...process.argv.slice(2)], {
  AWS_ENDPOINT_URL: emulator.endpoint,
  AWS_ACCESS_KEY_ID: emulatorIdentity.accessKeyId,
  AWS_SECRET_ACCESS_KEY: emulatorIdentity.secretAccessKey,
  AWS_REGION: emulatorIdentity.region,
  TUNESMITH_MODEL_DIR: models,
  TUNESMITH_SCHEMAS: join(workDirectory, 'schemas'),
}).finally(() => emulator.stop());
process.exit(code);

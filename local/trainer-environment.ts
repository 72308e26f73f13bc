import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError, runCommand } from './child.ts';
import { emulatorIdentity, startEmulator } from './emulator.ts';
import { requireLocalModel } from './model/catalog.ts';
import { setUpModels } from './model/setup.ts';
import { localDirectory, modelsDirectory, repositoryRoot, typescriptLoader } from './paths.ts';
import { findFreePort } from './ports.ts';
import type { Progress } from './progress.ts';
import { ensurePython, pipInstall, removeMarkers, requireEnvironment, waitForLock } from './python.ts';

/** The model that both trainers train in the tests, by its ids in trainings and in `local/model/catalog.ts`. */
const trainedModel = { id: 'HuggingFaceTB/SmolLM2-135M-Instruct', localId: 'smollm2-135m' } as const;

export const trainerDirectory = join(repositoryRoot, 'trainer', 'gpu');

/** Command of the trainer that the Python one is compared with. It ends when its stdin closes. */
const embeddedTrainerCommand: readonly string[] = [
  process.execPath,
  '--import',
  typescriptLoader,
  join(repositoryRoot, 'trainer', 'embedded', 'worker.ts'),
  '--stop-with-parent',
];

/** Command that publishes artifacts to a stand-in for a hub, until its stdin closes. */
const publisherCommand: readonly string[] = [
  process.execPath,
  '--import',
  typescriptLoader,
  join(repositoryRoot, 'test', 'helpers', 'publish-artifacts.ts'),
];

const testsDirectory = join(trainerDirectory, 'tests');
const requirements = join(trainerDirectory, 'requirements-test.txt');

/**
 * Ensures that `.local/trainer-venv` has the packages of the Python trainer and its tests, for the CPU: 2 GB.
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
    await requireEnvironment(directory);
    await progress.step('Python packages (trainer)', async () => {
      removeMarkers(directory, 'installed-');
      await pipInstall(interpreter, ['--no-deps', '-r', requirements]);
      if (process.platform === 'linux') await makeTorchLoadable(interpreter);
      writeFileSync(marker, '');
    });
    return interpreter;
  } finally {
    release();
  }
}

/**
 * Ensures that the trained model exists as a Hugging Face checkpoint, converted from the GGUF file.
 * @returns the folder for `TUNESMITH_MODEL_DIR`.
 */
export async function ensureTrainedCheckpoint(python: string, progress: Progress): Promise<string> {
  const model = requireLocalModel(trainedModel.localId);
  if (model.kind !== 'text') throw new Error(`${model.id} is no model of text.`);
  await setUpModels([model.id], progress);
  const checkpoints = join(localDirectory, 'trainer-models');
  const checkpoint = join(checkpoints, trainedModel.id);
  if (existsSync(checkpoint)) return checkpoints;
  await progress.step(`Checkpoint of ${model.id}`, async () => {
    const partial = `${checkpoint}.partial`;
    rmSync(partial, { recursive: true, force: true });
    const source = join(modelsDirectory(), model.weights.name);
    await runCommand(python, [join(testsDirectory, 'convert_gguf.py'), source, partial], {
      what: `Converting ${model.weights.name}`,
      environment: process.env,
    });
    mkdirSync(dirname(checkpoint), { recursive: true });
    renameSync(partial, checkpoint);
  });
  return checkpoints;
}

/** An AWS emulator for trainers, and the trainers. */
export interface TrainerStage {
  /** Interpreter of the Python trainer. */
  readonly python: string;
  /** The environment of both trainers and their tests. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Installs both trainers and the model, and starts an empty emulator on a free port. */
export async function setTrainerStage(stateDirectory: string, progress: Progress): Promise<TrainerStage> {
  const python = await ensureTrainerEnvironment(progress);
  const checkpoints = await ensureTrainedCheckpoint(python, progress);
  const emulator = await startEmulator({
    python: await ensurePython(['emulator'], progress),
    port: await findFreePort(),
    stateDirectory,
    fresh: true,
  });
  return {
    python,
    environment: {
      AWS_ENDPOINT_URL: emulator.endpoint,
      AWS_ACCESS_KEY_ID: emulatorIdentity.accessKeyId,
      AWS_SECRET_ACCESS_KEY: emulatorIdentity.secretAccessKey,
      AWS_REGION: emulatorIdentity.region,
      TUNESMITH_MODEL_DIR: checkpoints,
      TUNESMITH_MODELS_DIR: modelsDirectory(),
      EMBEDDED_TRAINER: JSON.stringify(embeddedTrainerCommand),
      PUBLISHER: JSON.stringify(publisherCommand),
    },
    stop: () => emulator.stop(),
  };
}

/** torch's wheel is linked to CUDA: provides stubs if they can be compiled, else the packages themselves. */
async function makeTorchLoadable(interpreter: string): Promise<void> {
  try {
    await runCommand(interpreter, [join(testsDirectory, 'cuda_stubs.py')], {
      what: 'Compiling stubs of CUDA',
      environment: process.env,
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await pipInstall(interpreter, ['-r', join(trainerDirectory, 'requirements-worker.txt')]);
  }
}

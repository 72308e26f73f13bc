import { join } from 'node:path';
import {
  type AwsEnvironment,
  awsEnvironmentOf,
  clientOptions,
  createAssetBucket,
  environmentFor,
} from '#local/aws-environment.ts';
import type { StackOutputs } from '#local/deployment.ts';
import { startEmulator } from '#local/emulator.ts';
import { setUpModels } from '#local/model/setup.ts';
import { findFreePort } from '#local/ports.ts';
import type { Progress } from '#local/progress.ts';
import { ensurePython } from '#local/python.ts';
import { chosenEndpoint } from '#local/up.ts';
import { removeTrainerUser } from '#trainer/embedded/identity.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';
import { startStageTrainer, trainerUser } from '#trainer/embedded/stage-trainer.ts';
import { SCRIPTED, startScriptedModel } from '../scripted-model.ts';

/** The target of a rehearsal. */
export interface Place {
  /** A description for the results table. */
  readonly description: string;
  /** The environment of deployments and clients, with the settings of the stage. */
  readonly environment: NodeJS.ProcessEnv;
  readonly isEmulator: boolean;
  /** Prepares the account for the first deployment. */
  prepare(): Promise<void>;
  /** Starts a trainer for the embedded queue of the deployed stage; null if the target has none. */
  readonly startTrainer: ((outputs: StackOutputs) => Promise<{ stop(): Promise<void> }>) | null;
  stop(): Promise<void>;
}

/** AWS, with the credentials and the region of this process's environment. */
export function placeOnAws(): Place {
  return {
    description: `AWS, ${process.env.AWS_REGION}`,
    environment: process.env,
    isEmulator: false,
    // The deployment does it, with the rights of whoever deploys, and only where nobody has.
    prepare: async () => undefined,
    startTrainer: null,
    stop: async () => undefined,
  };
}

/**
 * An emulator: that of `AWS_ENDPOINT_URL`, or else a new one, with the scripted model of the tests unless
 * `MODEL_BASE_URL` is set.
 */
export async function placeOnEmulator(stage: string, stateDir: string, progress: Progress): Promise<Place> {
  const stops: (() => void | Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.reverse().splice(0)) await each();
  };
  try {
    const endpoint = chosenEndpoint(process.env) ?? (await startOwnEmulator(stateDir, progress, stops));
    const aws = awsEnvironmentOf(endpoint);
    const model = process.env.MODEL_BASE_URL ? null : await startScriptedModel();
    if (model !== null) stops.push(model.stop);
    return {
      description: `emulator at ${endpoint}, ${model === null ? `models at ${process.env.MODEL_BASE_URL}` : 'with the scripted model of the tests'}`,
      environment: environmentFor(
        aws,
        model === null
          ? {}
          : { MODEL_BASE_URL: model.url, MODEL_ID: SCRIPTED.text, MODEL_ID_EMBED: SCRIPTED.embedding },
      ),
      isEmulator: true,
      prepare: () => createAssetBucket(aws),
      startTrainer: (outputs) => startEmbeddedTrainer(stage, outputs, aws, stateDir, progress),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOwnEmulator(
  stateDir: string,
  progress: Progress,
  stops: (() => void | Promise<void>)[],
): Promise<string> {
  const python = await ensurePython(['emulator'], progress);
  const port = await findFreePort();
  const emulator = await startEmulator({
    python,
    port,
    stateDirectory: stateDir,
    fresh: true,
    waitScale: 0.1,
  });
  stops.push(emulator.stop);
  return emulator.endpoint;
}

async function startEmbeddedTrainer(
  stage: string,
  outputs: StackOutputs,
  aws: AwsEnvironment,
  stateDir: string,
  progress: Progress,
): Promise<{ stop(): Promise<void> }> {
  await setUpModels(trainerModelIds, progress);
  const trainer = await startStageTrainer(stage, outputs, aws, join(stateDir, 'logs', 'trainer.log'));
  return {
    stop: async () => {
      await trainer.stop();
      await removeTrainerUser(trainerUser(stage), clientOptions(aws));
    },
  };
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { trainedModels, trainerModelIds } from '#trainer/embedded/models.ts';
import { startStageTrainer } from '#trainer/embedded/stage-trainer.ts';
import {
  type AwsEnvironment,
  awsEnvironmentOf,
  clientOptions,
  createAssetBucket,
  environmentFor,
} from './aws-environment.ts';
import { answersHttp, CommandError, runCommand } from './child.ts';
import {
  buildKey,
  deploy,
  deployedOutputs,
  deploymentKey,
  forgetDeployment,
  isBuilt,
  removeApi,
  requireOutput,
  type StackOutputs,
} from './deployment.ts';
import { defaultEmulatorPort, emulatorPortVariable, startEmulator } from './emulator.ts';
import { parseEnvFile, renderEnvFile } from './env-file.ts';
import { acquireLock, LockHeldError } from './lock.ts';
import { defaultTextModelId, embeddingModelId, requireLocalModel } from './model/catalog.ts';
import { setUpModels } from './model/setup.ts';
import { defaultModelPort, modelPortVariable, modelServerUrl, startModelServer } from './model/start.ts';
import { storeModelKey } from './model-key.ts';
import { adaptersDirectory, localDirectory, repositoryRoot, typescriptLoader } from './paths.ts';
import { findFreePort, isPortFree, readPort } from './ports.ts';
import { createProgress, type Progress, silentProgress } from './progress.ts';
import { ensurePython } from './python.ts';
import { seedCalibration } from './seed-calibration.ts';
import { defaultFrontPort, frontPortVariable, startFrontProcess } from './start-front.ts';

/** A model at any OpenAI-compatible URL. */
export interface ModelEndpoint {
  /** Ends in the version (`/v1`). */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly modelId: string;
  readonly embeddingModelId?: string;
}

export interface LocalCloudOptions {
  /** `real`: the model at `MODEL_BASE_URL`, or else a model served on this machine. */
  readonly model: 'real' | ModelEndpoint;
  /** Whether a trainer on this machine takes training jobs; by default if the model is `real`. */
  readonly trainer?: boolean;
  /** Whether a front with an origin of its own stands before the API; by default if the model is `real`. */
  readonly front?: boolean;
  /** The model to serve on this machine; by default `LOCAL_MODEL`, or else the default model. */
  readonly localModel?: string;
  /** Port of the emulator; 0 takes a free one. By default from `AWS_ENDPOINT_URL` or `TUNESMITH_EMULATOR_PORT`. */
  readonly emulatorPort?: number;
  /** Port of the front; 0 takes a free one. By default from `TUNESMITH_PORT`. */
  readonly frontPort?: number;
  /** Port of the model server; 0 takes a free one. */
  readonly modelPort?: number;
  /** Directory of the state, logs, outputs and `env` of this cloud; `.local` by default. */
  readonly stateDir?: string;
  /** Starts empty: deletes datasets, runs and keys of earlier starts. */
  readonly fresh?: boolean;
  /** Settings of the deployment (`MODEL_CONCURRENCY`, …), as environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Scales the waits of state machines, in tests. */
  readonly waitScale?: number;
  /** The functions' endpoint for the emulator on the given port, if it is a proxy. */
  readonly functionEndpoint?: (emulatorPort: number) => string;
  /** Deploys the existing build of `bin/build.ts`. */
  readonly skipBuild?: boolean;
  readonly quiet?: boolean;
}

export interface LocalCloud {
  /** Address of the emulator. */
  readonly endpoint: string;
  /** Base URL of the API, with its stage; its paths begin with /api/v1. */
  readonly apiUrl: string;
  /** A key of the team `local`. */
  readonly apiKey: string;
  readonly tableName: string;
  readonly bucketName: string;
  /** The models that it calls, and where they are. */
  readonly models: string;
  /** The content of `env`: clients, the admin command and the AWS SDK find this cloud by it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly envFile: string;
  /** Resolves with a message when one of its processes ends unexpectedly. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

interface Running {
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const stage = 'local';
const ownEndpointVariable = 'TUNESMITH_LOCAL_ENDPOINT';
const startingCredits = 100_000;

/**
 * Starts the whole product on this machine: the AWS emulator, a model, the deployed stacks, and an API key.
 * @throws {Error} that says what to do; everything that was started is stopped again.
 */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const progress = options.quiet === true ? silentProgress : createProgress();
  const stateDir = options.stateDir ?? localDirectory;
  const running: Running[] = [];
  const release = lockCheckout(stateDir);
  const stop = async () => {
    for (const part of running.reverse().splice(0)) await part.stop();
    release();
  };
  try {
    const model = await planModel(options, progress);
    // The model loads meanwhile; both finish before anything is stopped.
    const [serving, providing] = await Promise.allSettled([
      model.start(stateDir, running),
      provideService(options, model, stateDir, progress, running),
    ]);
    if (serving.status === 'rejected') throw serving.reason;
    if (providing.status === 'rejected') throw providing.reason;
    const { endpoint, awsEnvironment, outputs, tableName, apiUrl, apiKey } = providing.value;
    const bucketName = requireOutput(outputs, 'BucketName');
    const envFile = envFileOf(stateDir);
    const environment = {
      ADAPTION_BASE_URL: apiUrl,
      ADAPTION_API_KEY: apiKey,
      OPENAI_BASE_URL: `${apiUrl}/api/v1`,
      OPENAI_API_KEY: apiKey,
      STAGE: stage,
      TABLE_NAME: tableName,
      BUCKET_NAME: bucketName,
      // The queue of a trainer.
      TRAINER_QUEUE_URL: requireOutput(outputs, 'EmbeddedTrainerQueueUrl'),
      // For a model server on this machine, which also serves trained models.
      ...(model.servedModelId === undefined ? {} : { TUNESMITH_MODEL_URL: model.baseUrl }),
      ...awsEnvironment,
      // A start from a shell that has sourced this file must not treat it as an explicit choice of an emulator.
      [ownEndpointVariable]: endpoint,
    };
    writeFileSync(envFile, renderEnvFile(environment), { mode: 0o600 });
    return {
      endpoint,
      apiUrl,
      apiKey,
      tableName,
      bucketName,
      models: `${model.ids.join(', ')} at ${model.baseUrl}`,
      environment,
      envFile,
      failed: Promise.race(running.map(({ ended }) => ended)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const envFileOf = (stateDir: string): string => join(stateDir, 'env');

interface ProvidedService extends DeployedStacks {
  readonly tableName: string;
  readonly apiUrl: string;
  readonly apiKey: string;
}

/** Deploys the stacks, and starts what belongs to them: trainer, API key and front. None of it asks the model. */
async function provideService(
  options: LocalCloudOptions,
  model: PlannedModel,
  stateDir: string,
  progress: Progress,
  running: Running[],
): Promise<ProvidedService> {
  const isReal = options.model === 'real';
  const stacks = await provideStacks(options, stateDir, model.settings, progress, running);
  const { awsEnvironment, outputs } = stacks;
  await storeModelKey(outputs, model.apiKey, clientOptions(awsEnvironment));
  const emulatedApiUrl = requireOutput(outputs, 'ApiUrl');
  const tableName = requireOutput(outputs, 'TableName');
  if (options.trainer ?? isReal) {
    await provideTrainer(stateDir, outputs, awsEnvironment, progress, running);
  }
  if (model.servedModelId !== undefined) {
    await seedCalibration(model.servedModelId, tableName, clientOptions(awsEnvironment));
  }
  const apiKey = await progress.step('API key', () =>
    provideKey(envFileOf(stateDir), emulatedApiUrl, awsEnvironment, tableName),
  );
  const apiUrl =
    (options.front ?? isReal)
      ? await provideFront(options.frontPort, stateDir, emulatedApiUrl, awsEnvironment, progress, running)
      : emulatedApiUrl;
  return { ...stacks, tableName, apiUrl, apiKey };
}

function lockCheckout(stateDir: string): () => void {
  try {
    return acquireLock(join(stateDir, 'running.lock'), new Date());
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const folder = relative(process.cwd(), stateDir) || '.';
    throw new Error(
      `The local cloud of this checkout runs already: process ${error.holder.pid}, since ${error.holder.since}. ` +
        `Use it (source ${join(folder, 'env')}), or stop it first (kill ${error.holder.pid}).`,
    );
  }
}

/**
 * The trainer for this cloud's trainings, with exactly the permissions of trainers in the stacks; downloads its model
 * first.
 */
async function provideTrainer(
  stateDir: string,
  outputs: StackOutputs,
  awsEnvironment: AwsEnvironment,
  progress: Progress,
  running: Running[],
): Promise<void> {
  await setUpModels(trainerModelIds, progress);
  const trainer = await progress.step('Trainer', () =>
    startStageTrainer(stage, outputs, awsEnvironment, join(stateDir, 'logs', 'trainer.log')),
  );
  running.push({
    ended: trainer.ended.then((status) => `The trainer has ended (${status}).`),
    stop: trainer.stop,
  });
}

/** @returns the base URL of the API behind the front, with its stage */
async function provideFront(
  given: number | undefined,
  stateDir: string,
  apiUrl: string,
  awsEnvironment: AwsEnvironment,
  progress: Progress,
  running: Running[],
): Promise<string> {
  const port = await choosePort(given, frontPortVariable, defaultFrontPort, progress);
  const logFile = join(stateDir, 'logs', 'front.log');
  const { url, service } = await progress.step(`API on port ${port}`, () =>
    startFrontProcess({ port, stage, apiUrl, awsEnvironment, logFile }),
  );
  running.push({
    ended: service.ended.then((status) => `The front has ended (${status}). Its log: ${logFile}`),
    stop: service.stop,
  });
  return url;
}

interface PlannedModel {
  /** The models that the stacks call. */
  readonly ids: readonly string[];
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The model that this machine serves; absent if another server does. */
  readonly servedModelId?: string;
  /** Settings of the stacks for the model. */
  readonly settings: Readonly<Record<string, string>>;
  /** Starts the model server if this machine serves the model. */
  start(stateDir: string, running: Running[]): Promise<void>;
}

const startsNothing = async (): Promise<void> => undefined;

/** The models that the environment names, by their variables: `MODEL_ID`, `MODEL_ID_JUDGE`, … */
function chosenModels(): (readonly [name: string, id: string])[] {
  return Object.entries(process.env).flatMap(([name, id]) =>
    /^MODEL_ID(_[A-Z]+)?$/.test(name) && id !== undefined ? [[name, id] as const] : [],
  );
}

/**
 * Chooses the model and its address; downloads it if this machine serves it.
 * @throws {Error} if the model at `MODEL_BASE_URL` does not respond.
 */
async function planModel(options: LocalCloudOptions, progress: Progress): Promise<PlannedModel> {
  if (options.model !== 'real') {
    const { baseUrl, apiKey, modelId } = options.model;
    const embeddings = options.model.embeddingModelId;
    return {
      ids: [modelId],
      baseUrl,
      apiKey,
      settings: {
        MODEL_BASE_URL: baseUrl,
        MODEL_ID: modelId,
        ...(embeddings === undefined ? {} : { MODEL_ID_EMBED: embeddings }),
      },
      start: startsNothing,
    };
  }
  const chosen = process.env.MODEL_BASE_URL;
  if (chosen !== undefined && chosen !== '') {
    const apiKey = process.env.MODEL_API_KEY;
    const named = chosenModels();
    if (named.length === 0) {
      throw new Error(
        'MODEL_BASE_URL needs MODEL_ID: name a model of that endpoint (npm run doctor lists them).',
      );
    }
    const listed = await progress.step(`Model at ${chosen}`, () => requireModelAnswer(chosen, apiKey));
    for (const [name, id] of named) {
      if (listed.length === 0 || listed.includes(id)) continue;
      progress.note(
        `  Warning: ${chosen} does not list ${name}=${id}. Check its spelling (npm run doctor); runs fail without the model.`,
      );
    }
    return {
      ids: named.map(([, id]) => id),
      baseUrl: chosen,
      apiKey,
      settings: { MODEL_BASE_URL: chosen },
      start: startsNothing,
    };
  }

  const modelId = options.localModel ?? process.env.LOCAL_MODEL ?? defaultTextModelId;
  if (requireLocalModel(modelId).kind !== 'text') {
    throw new Error(
      `LOCAL_MODEL=${modelId} is a model for embeddings. Leave it out to use ${defaultTextModelId}.`,
    );
  }
  const models = [modelId, embeddingModelId];
  await setUpModels(models, progress);
  const port = await choosePort(options.modelPort, modelPortVariable, defaultModelPort, progress);
  const baseUrl = modelServerUrl(port);
  return {
    ids: [modelId],
    baseUrl,
    apiKey: undefined,
    servedModelId: modelId,
    settings: {
      MODEL_BASE_URL: baseUrl,
      MODEL_ID: modelId,
      MODEL_ID_EMBED: embeddingModelId,
      MODEL_CONCURRENCY: localSequences,
      MODEL_CONTEXT_TOKENS: localContextTokens,
      // A long answer takes minutes on a busy laptop.
      MODEL_TIMEOUT_SECONDS: '600',
      MODEL_OUTAGE_SECONDS: '720',
      TRAINED_MODELS: 'model_server',
    },
    async start(stateDir, running) {
      const server = await progress.step(`Model server on port ${port}`, () =>
        startModelServer({
          models,
          port,
          logFile: join(stateDir, 'logs', 'model-server.log'),
          settings: {
            TUNESMITH_MODEL_CONTEXT: localContextTokens,
            TUNESMITH_MODEL_SEQUENCES: localSequences,
            TUNESMITH_ADAPTERS_DIR: adaptersDirectory(stateDir),
            TUNESMITH_ADAPTER_BASES: JSON.stringify(trainedModels),
          },
        }),
      );
      // What asks the model stops before it.
      running.unshift({
        ended: server.ended.then(
          (status) =>
            `The model server has ended (${status}). Its log: ${join(stateDir, 'logs', 'model-server.log')}`,
        ),
        stop: server.stop,
      });
    },
  };
}

interface DeployedStacks {
  readonly endpoint: string;
  readonly awsEnvironment: AwsEnvironment;
  readonly outputs: StackOutputs;
}

/** Builds and deploys the stacks on an emulator, unless nothing has changed. */
async function provideStacks(
  options: LocalCloudOptions,
  stateDir: string,
  modelSettings: Readonly<Record<string, string>>,
  progress: Progress,
  running: Running[],
): Promise<DeployedStacks> {
  if (options.fresh === true) forgetDeployment(stateDir);
  const endpoint = await provideEmulator(options, stateDir, progress, running);
  const awsEnvironment = awsEnvironmentOf(endpoint);
  const built = buildKey();
  if (options.skipBuild !== true && !isBuilt(built)) {
    await progress.step('Build', async () => {
      await runScript('bin/permissions.ts', [], 'Writing the permissions', awsEnvironment);
      await runScript('bin/build.ts', [], 'The build', awsEnvironment);
    });
  }
  const environment = environmentFor(awsEnvironment, { ...modelSettings, ...options.settings });
  const key = deploymentKey(built, { stage, environment });
  const earlier = deployedOutputs(stateDir, key);
  if (earlier !== null && (await isServing(requireOutput(earlier, 'ApiUrl')))) {
    return { endpoint, awsEnvironment, outputs: earlier };
  }
  const outputs = await progress.step('Deployment', async () => {
    await createAssetBucket(awsEnvironment);
    const deployment = { stage, stateDir, environment };
    const made = await deploy(deployment, key).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      // Emulators cannot update every nested stack. A failure for another reason comes again below, and is told then.
      return null;
    });
    if (made !== null && (await isServing(requireOutput(made, 'ApiUrl')))) return made;
    // For a resource that moved between stacks, an emulator creates the new one and then deletes it with the old.
    await removeApi(deployment);
    return deploy(deployment, key);
  });
  return { endpoint, awsEnvironment, outputs };
}

// Fits a laptop's memory next to the emulator. Runs make as many concurrent calls as there are sequences.
const localContextTokens = '4096';
const localSequences = '4';

/**
 * The ids of the models that a server lists; empty if it lists none.
 * @throws {Error} if it does not answer, or refuses the key.
 */
async function requireModelAnswer(baseUrl: string, apiKey: string | undefined): Promise<readonly string[]> {
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/models`;
  const advice =
    'Check MODEL_BASE_URL (it ends in /v1) and MODEL_API_KEY, or unset MODEL_BASE_URL to use a local model.';
  let status: number;
  let body: string;
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(10_000),
    });
    body = await response.text();
    status = response.status;
  } catch (error) {
    throw new Error(`No model answers at ${url}. ${advice}`, { cause: error });
  }
  // Not every server lists its models; any response shows that it is running, and whether it accepts the key.
  if (status === 401 || status === 403 || status >= 500) {
    throw new Error(`The model at ${url} answers with ${status}. ${advice}`);
  }
  return idsOfList(body);
}

function idsOfList(body: string): readonly string[] {
  try {
    const { data } = JSON.parse(body);
    return data.map(({ id }: { id: string }) => id);
  } catch {
    return [];
  }
}

async function provideEmulator(
  options: LocalCloudOptions,
  stateDir: string,
  progress: Progress,
  running: Running[],
): Promise<string> {
  const chosen = options.emulatorPort === undefined ? chosenEndpoint(process.env) : null;
  if (chosen !== null) {
    await progress.step(`AWS at ${chosen}`, async () => {
      if (await answersHttp(chosen)) return;
      throw new Error(
        `AWS_ENDPOINT_URL is ${chosen}, and nothing answers there. Start that emulator, or unset ` +
          'AWS_ENDPOINT_URL to have one started.',
      );
    });
    return chosen;
  }
  const python = await ensurePython(['emulator'], progress);
  const port = await choosePort(options.emulatorPort, emulatorPortVariable, defaultEmulatorPort, progress);
  const emulator = await progress.step(`AWS emulator on port ${port}`, () =>
    startEmulator({
      python,
      port,
      stateDirectory: stateDir,
      fresh: options.fresh === true,
      ...(options.waitScale === undefined ? {} : { waitScale: options.waitScale }),
      ...(options.functionEndpoint === undefined ? {} : { functionEndpoint: options.functionEndpoint }),
    }),
  );
  if (emulator.lostChanges) forgetDeployment(stateDir);
  running.push({
    ended: emulator.ended.then((status) => `The AWS emulator has ended (${status}).`),
    stop: emulator.stop,
  });
  return emulator.endpoint;
}

/**
 * The emulator in the caller's environment; null if there is none, or only the one from `source .local/env` of any
 * checkout.
 */
export function chosenEndpoint(environment: NodeJS.ProcessEnv): string | null {
  const { AWS_ENDPOINT_URL: chosen, [ownEndpointVariable]: own } = environment;
  return chosen === undefined || chosen === '' || chosen === own ? null : chosen.replace(/(?<!\/)\/+$/, '');
}

/** The requested port; by default the usual port, or a free one if that is taken. */
export async function choosePort(
  given: number | undefined,
  variable: string,
  usual: number,
  progress: Progress,
): Promise<number> {
  const set = process.env[variable];
  const port = given ?? readPort(set, variable, usual);
  if (port === 0) return findFreePort();
  const isChosen = given !== undefined || (set !== undefined && set !== '');
  if (isChosen || (await isPortFree(port))) return port;
  const free = await findFreePort();
  progress.note(`Port ${port} is taken; ${free} is used instead (${variable} sets another).`);
  return free;
}

/** The key of an earlier start if it is still valid, or else a new one. */
async function provideKey(
  envFile: string,
  apiUrl: string,
  aws: AwsEnvironment,
  tableName: string,
): Promise<string> {
  const earlier = existsSync(envFile)
    ? parseEnvFile(readFileSync(envFile, 'utf8')).ADAPTION_API_KEY
    : undefined;
  if (earlier !== undefined && (await isAccepted(earlier, apiUrl))) return earlier;
  const key = await runScript(
    'bin/admin.ts',
    ['key', 'create', '--team', 'local', '--credits', String(startingCredits)],
    'Creating a key',
    { ...aws, STAGE: stage, TABLE_NAME: tableName },
  );
  return key.trim();
}

/** Whether a restarted emulator still has the deployed stacks. */
async function isServing(apiUrl: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/docs`);
  await response.arrayBuffer();
  return response.status === 200;
}

async function isAccepted(key: string, apiUrl: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/api/v1/datasets`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status === 200;
}

function runScript(
  script: string,
  args: readonly string[],
  what: string,
  environment: AwsEnvironment,
): Promise<string> {
  return runCommand(process.execPath, ['--import', typescriptLoader, script, ...args], {
    what,
    directory: repositoryRoot,
    environment: environmentFor(environment, {}),
  });
}

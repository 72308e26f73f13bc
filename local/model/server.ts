import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { getLlama, type Llama, LlamaLogLevel } from 'node-llama-cpp';
import { adaptersDirectory, localDirectory, modelsDirectory } from '../paths.ts';
import { isPortFree, loopback, portInUseMessage, readPort } from '../ports.ts';
import { createModelApi, type ServedModel } from './api.ts';
import {
  defaultTextModelId,
  embeddingModelId,
  filesOf,
  findLocalModel,
  type LocalModel,
  requireLocalModel,
  type TextModel,
} from './catalog.ts';
import { isVerified } from './fetch.ts';
import { type AdaptableModel, ServedAdapters } from './served-adapters.ts';
import { watchSpareCores } from './spare-cores.ts';
import { defaultModelPort, modelPortVariable } from './start.ts';
import { TextEmbedder } from './text-embedder.ts';
import { type GeneratorOptions, loadTextWeights, TextGenerator } from './text-generator.ts';

/**
 * The model server, a separate process. Environment: `TUNESMITH_MODEL_PORT`, `TUNESMITH_MODELS` (ids, separated by
 * commas), `TUNESMITH_MODELS_DIR`, `TUNESMITH_ADAPTERS_DIR`, `TUNESMITH_MODEL_CONTEXT` (tokens a sequence),
 * `TUNESMITH_MODEL_SEQUENCES`, `TUNESMITH_MODEL_THREADS` (maximum; fewer while other programs are busy),
 * `TUNESMITH_MODEL_QUEUE` (maximum waiting requests). Prints one JSON line when it is ready. With `--stop-with-parent`
 * it ends when its stdin closes.
 */
interface Settings {
  readonly directory: string;
  readonly contextTokens: number;
  readonly sequences: number;
  readonly threads: number;
  readonly waitingMax: number;
  readonly statesDirectory: string;
}

const environment = process.env;
const port = readPort(environment[modelPortVariable], modelPortVariable, defaultModelPort);
const settings: Settings = {
  directory: modelsDirectory(),
  contextTokens: readCount('TUNESMITH_MODEL_CONTEXT', 4_096),
  sequences: readCount('TUNESMITH_MODEL_SEQUENCES', 4),
  // All idle cores; more than eight threads only wait for memory.
  threads: readCount('TUNESMITH_MODEL_THREADS', Math.min(availableParallelism(), 8)),
  waitingMax: readCount('TUNESMITH_MODEL_QUEUE', 64),
  // It contains request texts: only this user can read it, and it is deleted with the process.
  statesDirectory: join(localDirectory, 'prompt-states', String(port)),
};
const ids = (environment.TUNESMITH_MODELS ?? `${defaultTextModelId},${embeddingModelId}`).split(',');

/** Maximum adapter contexts. A context takes 23 kB a token and sequence for the smallest model. */
const adapterContextsMax = 2;
/** Sequences of adapters, and of bases that are only served with them. */
const adapterSequencesMax = 2;

const startedAt = new Date();
if (!(await isPortFree(port))) throw new Error(portInUseMessage('model server', port, modelPortVariable));
rmSync(settings.statesDirectory, { recursive: true, force: true });
mkdirSync(settings.statesDirectory, { recursive: true, mode: 0o700 });
process.once('exit', () => rmSync(settings.statesDirectory, { recursive: true, force: true }));
let llama: Promise<Llama> | undefined;
const bases = new Map<string, Promise<AdaptableModel>>();
const served = await loadModels(ids.map(requireLocalModel));
/** The models here by what trainings call them; the trainer's list. */
const adapterBases = new Map(
  Object.entries(JSON.parse(environment.TUNESMITH_ADAPTER_BASES ?? '{}') as Record<string, string>),
);
const adapters = new ServedAdapters({
  directory: adaptersDirectory(),
  contextsMax: adapterContextsMax,
  hasBase: async (id) => (await fetchedTextModel(id)) !== undefined,
  openBase: async (id) => {
    const model = await fetchedTextModel(id);
    if (model === undefined) throw new Error(`${id} is no text model that was fetched.`);
    return openTextModel(model);
  },
  baseOf: (model) => adapterBases.get(model),
  listed: ids,
});
const server = createModelApi(served, startedAt, adapters).listen(port, loopback);
await once(server, 'listening');
console.log(
  JSON.stringify({
    event: 'ready',
    url: `http://${loopback}:${port}/v1`,
    models: served.map(({ id }) => id),
    load_ms: Date.now() - startedAt.getTime(),
  }),
);

process.once('SIGTERM', () => process.exit(0));
process.once('SIGINT', () => process.exit(0));
if (process.argv.includes('--stop-with-parent')) process.stdin.resume().once('end', () => process.exit(0));

async function loadModels(models: readonly LocalModel[]): Promise<ServedModel[]> {
  for (const model of models) await requireFiles(model, settings.directory);
  const loaded: ServedModel[] = [];
  for (const model of models) {
    if (model.kind === 'embedding') {
      const modelPath = join(settings.directory, model.weights.name);
      const tokenizerPath = join(settings.directory, model.tokenizer.name);
      const embedder = await TextEmbedder.load({ ...model, ...settings, modelPath, tokenizerPath });
      loaded.push({ kind: 'embedding', id: model.id, embedder });
    } else {
      const { generator } = await openTextModel(model);
      loaded.push({ kind: 'text', id: model.id, generator });
    }
  }
  return loaded;
}

/** A text model, loaded once. */
function openTextModel(model: TextModel): Promise<AdaptableModel> {
  const open = async (): Promise<AdaptableModel> => {
    llama ??= startLlama();
    const weights = await loadTextWeights(await llama, join(settings.directory, model.weights.name));
    const besides: GeneratorOptions = {
      ...settings,
      sequences: Math.min(settings.sequences, adapterSequencesMax),
    };
    return {
      generator: await TextGenerator.create(weights, ids.includes(model.id) ? settings : besides),
      withAdapter: (adapterPath) => TextGenerator.create(weights, { ...besides, adapterPath }),
    };
  };
  let opened = bases.get(model.id);
  if (opened === undefined) {
    opened = open();
    bases.set(model.id, opened);
    opened.catch(() => bases.delete(model.id));
  }
  return opened;
}

async function startLlama(): Promise<Llama> {
  const started = await getLlama({
    gpu: false,
    build: 'never',
    logLevel: LlamaLogLevel.error,
    maxThreads: settings.threads,
  });
  watchSpareCores(settings.threads, (threads) => {
    started.maxThreads = threads;
  });
  return started;
}

/** The text model of an id with weights on this machine. */
async function fetchedTextModel(id: string): Promise<TextModel | undefined> {
  const model = findLocalModel(id);
  if (model?.kind !== 'text') return undefined;
  return (await areFetched(model, settings.directory)) ? model : undefined;
}

async function areFetched(model: LocalModel, directory: string): Promise<boolean> {
  for (const { name, sha256 } of filesOf(model)) {
    if (!(await isVerified(join(directory, name), sha256))) return false;
  }
  return true;
}

async function requireFiles(model: LocalModel, directory: string): Promise<void> {
  for (const file of filesOf(model)) {
    const path = join(directory, file.name);
    if (!existsSync(path) || !(await isVerified(path, file.sha256))) {
      throw new Error(
        `${model.id} has not been fetched: ${path} is missing or unchecked. ` +
          `Run npx tsx local/model/setup.ts ${model.id}`,
      );
    }
  }
}

function readCount(variable: string, fallback: number): number {
  const text = environment[variable];
  if (text === undefined || text === '') return fallback;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`${variable} is "${text}": give a whole number from 1.`);
  return count;
}

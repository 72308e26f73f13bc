import { rm } from 'node:fs/promises';
import {
  type AdapterFile,
  adapterPath,
  fetchAdapter,
  findAdapter,
  listAdapters,
  trainedModelId,
} from './adapter-files.ts';
import type { Generator, ListedModel, TrainedModels } from './api.ts';
import { ApiError } from './api-error.ts';
import type { AdapterRequest } from './requests.ts';

/** A generator whose memory can be freed. */
export type Disposable = Generator & { dispose(): Promise<void> };

/** A base model with optional adapters. */
export interface AdaptableModel {
  readonly generator: Generator;
  /** The base model with an adapter, in its own context. */
  withAdapter(path: string): Promise<Disposable>;
}

export interface ServedAdaptersOptions {
  readonly directory: string;
  /** Maximum cached adapter contexts; least recently used first out. */
  readonly contextsMax: number;
  /** Whether the weights of this base model are available. */
  readonly hasBase: (id: string) => Promise<boolean>;
  /** A base model, loaded on first use. */
  readonly openBase: (id: string) => Promise<AdaptableModel>;
  /** The id here of a base model of trainings; undefined if it is not served. */
  readonly baseOf: (model: string) => string | undefined;
  /** Ids of bases that are already listed. */
  readonly listed: readonly string[];
}

interface Held {
  readonly generator: Promise<Disposable>;
  readonly uses: Set<Promise<unknown>>;
}

/**
 * Serves every adapter in a directory: looked up on each request, loaded in milliseconds, and evicted when others are
 * requested. The base of an adapter is served too, for comparison.
 */
export class ServedAdapters implements TrainedModels {
  readonly #options: ServedAdaptersOptions;
  /** In order of last use. */
  readonly #held = new Map<string, Held>();

  constructor(options: ServedAdaptersOptions) {
    this.#options = options;
  }

  /** Number of cached contexts. */
  get contexts(): number {
    return this.#held.size;
  }

  async list(): Promise<ListedModel[]> {
    const models: ListedModel[] = [];
    const known = new Set(this.#options.listed);
    for (const { id, baseId, writtenAt } of await listAdapters(this.#options.directory)) {
      if (!(await this.#options.hasBase(baseId))) continue;
      if (!known.has(baseId)) models.push({ id: baseId, created: writtenAt });
      known.add(baseId);
      models.push({ id, created: writtenAt });
    }
    return models;
  }

  async find(id: string): Promise<Generator | undefined> {
    const { directory, hasBase, openBase } = this.#options;
    if (!id.includes(':')) {
      const isBase = (await listAdapters(directory)).some(({ baseId }) => baseId === id);
      return isBase && (await hasBase(id)) ? (await openBase(id)).generator : undefined;
    }
    const adapter = await findAdapter(directory, id);
    if (adapter === undefined || !(await hasBase(adapter.baseId))) return undefined;
    const base = await openBase(adapter.baseId);
    return {
      // The adapter does not change the prompt's tokens, and its context has the same length.
      prepare: (...request) => base.generator.prepare(...request),
      generate: (...request) => this.#use(adapter, base, (generator) => generator.generate(...request)),
    };
  }

  async put({ model, name, url }: AdapterRequest, signal: AbortSignal): Promise<string> {
    const { directory, hasBase, baseOf } = this.#options;
    const baseId = baseOf(model);
    if (baseId === undefined || !(await hasBase(baseId))) {
      throw new ApiError(404, `No adapters of ${model} are served here.`, { code: 'model_not_found' });
    }
    await fetchAdapter(url, adapterPath(directory, baseId, name), signal);
    return trainedModelId(baseId, name);
  }

  async remove(name: string): Promise<void> {
    for (const { id, baseId, path } of await listAdapters(this.#options.directory)) {
      if (id === trainedModelId(baseId, name)) await rm(path, { force: true });
    }
  }

  async #use<Result>(
    adapter: AdapterFile,
    base: AdaptableModel,
    work: (generator: Disposable) => Promise<Result>,
  ): Promise<Result> {
    const held = this.#take(adapter, base);
    const use = held.generator.then(work);
    held.uses.add(use);
    try {
      return await use;
    } finally {
      held.uses.delete(use);
    }
  }

  #take(adapter: AdapterFile, base: AdaptableModel): Held {
    const key = `${adapter.path} ${adapter.writtenAt.getTime()}`;
    const held = this.#held.get(key) ?? this.#open(key, adapter.path, base);
    this.#held.delete(key);
    this.#held.set(key, held);
    return held;
  }

  #open(key: string, path: string, base: AdaptableModel): Held {
    const [oldest] = this.#held;
    const evicted = this.#held.size >= this.#options.contextsMax ? oldest : undefined;
    if (evicted !== undefined) this.#held.delete(evicted[0]);
    const open = async () => {
      if (evicted !== undefined) await letGo(evicted[1]);
      return base.withAdapter(path);
    };
    const held: Held = { generator: open(), uses: new Set() };
    held.generator.catch(() => {
      if (this.#held.get(key) === held) this.#held.delete(key);
    });
    return held;
  }
}

/** Frees a context after its running requests have finished. */
async function letGo(held: Held): Promise<void> {
  await Promise.allSettled(held.uses);
  const [generator] = await Promise.allSettled([held.generator]);
  if (generator.status === 'fulfilled') await generator.value.dispose();
}

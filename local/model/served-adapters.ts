import { type AdapterFile, findAdapter, listAdapters } from './adapter-files.ts';
import type { Generator, ListedModel, TrainedModels } from './api.ts';

/** A generator whose memory can be given back. */
export type Disposable = Generator & { dispose(): Promise<void> };

/** A base model that adapters change. */
export interface AdaptableModel {
  readonly generator: Generator;
  /** The base model with an adapter, in a context of its own. */
  withAdapter(path: string): Promise<Disposable>;
}

export interface ServedAdaptersOptions {
  readonly directory: string;
  /** Contexts of adapters that are kept; beyond them the one that was used least recently is let go. */
  readonly contextsMax: number;
  /** Whether this is a base model that is there to be loaded. */
  readonly hasBase: (id: string) => Promise<boolean>;
  /** A base model that is there, loaded where it is not loaded yet. */
  readonly openBase: (id: string) => Promise<AdaptableModel>;
  /** Ids of bases that are listed anyhow. */
  readonly listed: readonly string[];
}

interface Held {
  readonly generator: Promise<Disposable>;
  readonly uses: Set<Promise<unknown>>;
}

/**
 * Serves every adapter that lies in a directory: it is looked up when it is asked for, loaded in milliseconds, and let
 * go when others are asked for. The base of an adapter is served beside it, so that the two can be compared.
 */
export class ServedAdapters implements TrainedModels {
  readonly #options: ServedAdaptersOptions;
  /** In the order of their last use. */
  readonly #held = new Map<string, Held>();

  constructor(options: ServedAdaptersOptions) {
    this.#options = options;
  }

  /** Number of contexts that are kept. */
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
      // The adapter changes no token of a prompt, and has a context of the same length.
      prepare: (...request) => base.generator.prepare(...request),
      generate: (...request) => this.#use(adapter, base, (generator) => generator.generate(...request)),
    };
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

/** Gives the memory of a context back, once those who are answered by it have their answers. */
async function letGo(held: Held): Promise<void> {
  await Promise.allSettled(held.uses);
  const [generator] = await Promise.allSettled([held.generator]);
  if (generator.status === 'fulfilled') await generator.value.dispose();
}

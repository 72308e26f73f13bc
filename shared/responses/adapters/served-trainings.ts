import type { ServedTrainings } from '#shared/models/decide/answering-models.ts';
import { ModelError } from '#shared/models/decide/port.ts';

/** Seconds for which a served model is cached. */
const KNOWN_SECONDS = 60;

/** Lists the models of an endpoint. */
interface ListsModels {
  listModels(signal?: AbortSignal): Promise<readonly string[]>;
}

const TRAINED = /:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * The trained models that an endpoint serves: those with the id `<base model>:<id of the training>`, as in this
 * project's model server. Unknown ones are looked up each time.
 */
export function createServedTrainings(endpoint: ListsModels, clock: { now(): number }): ServedTrainings {
  let known: { readonly ids: ReadonlyMap<string, string>; readonly until: number } | undefined;

  async function load(signal: AbortSignal | undefined): Promise<ReadonlyMap<string, string>> {
    const models = await endpoint.listModels(signal).catch((error: unknown) => {
      // Endpoints without a model list, or without access for this key, serve no trained models.
      if (error instanceof ModelError && error.kind === 'misconfigured') return [];
      throw error;
    });
    const ids = new Map(
      models.flatMap((id) => {
        const [, experimentId] = TRAINED.exec(id) ?? [];
        return experimentId === undefined ? [] : [[experimentId.toLowerCase(), id] as const];
      }),
    );
    known = { ids, until: clock.now() + KNOWN_SECONDS * 1000 };
    return ids;
  }

  return {
    async find(experimentId, signal) {
      const found =
        known !== undefined && known.until > clock.now() ? known.ids.get(experimentId) : undefined;
      return found ?? (await load(signal)).get(experimentId) ?? null;
    },
    async list(signal) {
      try {
        return { ids: [...(await load(signal)).keys()], failure: null };
      } catch (failure) {
        if (!(failure instanceof ModelError)) throw failure;
        return { ids: [], failure };
      }
    },
  };
}

import { ModelError } from '#shared/domain/model/port.ts';
import type { ServedTrainings } from '#shared/domain/responses/answering-models.ts';

/** Seconds for which it is believed that a model is still served. */
const KNOWN_SECONDS = 60;

/** Lists the models of an endpoint. */
interface ListsModels {
  listModels(signal?: AbortSignal): Promise<readonly string[]>;
}

const TRAINED = /:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * The models of trainings that an endpoint serves: those whose id there is `<base model>:<id of the training>`, as the
 * model server of this project calls them. One that is not known yet is looked for each time.
 */
export function createServedTrainings(endpoint: ListsModels, clock: { now(): number }): ServedTrainings {
  let known: { readonly ids: ReadonlyMap<string, string>; readonly until: number } | undefined;

  async function load(signal: AbortSignal | undefined): Promise<ReadonlyMap<string, string>> {
    const models = await endpoint.listModels(signal).catch((error: unknown) => {
      // Endpoints that list nothing, or not to this key, serve no models of trainings.
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
    list: async (signal) => [...(await load(signal)).keys()],
  };
}

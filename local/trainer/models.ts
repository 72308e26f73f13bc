import { requireLocalModel } from '../model/catalog.ts';
import { RefusedError } from './errors.ts';

/** The base models that are trained here, by the id that trainings name, as `local/model/catalog.ts` calls them. */
const trainedModels: Readonly<Record<string, string>> = {
  'HuggingFaceTB/SmolLM2-135M-Instruct': 'smollm2-135m',
};

/** The models that have to be there for the trainer to train. */
export const trainerModelIds: readonly string[] = Object.values(trainedModels);

/** How the local model server calls a base model that trainings name; undefined for one that it does not serve. */
export function servedModelOf(id: string): string | undefined {
  return trainedModels[id];
}

/**
 * The name of the file with a base model's weights.
 * @throws {RefusedError} for a model that is not trained here.
 */
export function weightsOf(id: string): string {
  const local = servedModelOf(id);
  const model = local === undefined ? undefined : requireLocalModel(local);
  if (model?.kind !== 'text') {
    throw new RefusedError(
      `The embedded trainer does not know ${id}: it trains ${Object.keys(trainedModels).join(', ')}.`,
    );
  }
  return model.weights.name;
}

import { requireLocalModel } from '#local/model/catalog.ts';
import { RefusedError } from './errors.ts';

/** The trainable base models: id in trainings → id in `local/model/catalog.ts`. */
export const trainedModels: Readonly<Record<string, string>> = {
  'HuggingFaceTB/SmolLM2-135M-Instruct': 'smollm2-135m',
};

/** The models that the trainer needs. */
export const trainerModelIds: readonly string[] = Object.values(trainedModels);

/** The local model server's id of a base model of trainings; undefined if it does not serve it. */
export function servedModelOf(id: string): string | undefined {
  return trainedModels[id];
}

/**
 * The name of the file with a base model's weights.
 * @throws {RefusedError} for a model that this trainer does not support.
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

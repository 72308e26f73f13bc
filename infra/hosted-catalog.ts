import type { HostedModel } from '#shared/schema/hosted-model.ts';

/** Functions are told of the models in a variable of their environment, of which Lambda takes 4 KB in all. */
const JSON_BYTES_MAX = 2_000;

/**
 * The models that answer callers: those of the ids first, in their order, then the catalog's others. Prices and names
 * are the catalog's.
 * @throws Error that says what to change
 */
export function listHostedModels(ids: readonly string[], catalog: readonly HostedModel[]): HostedModel[] {
  const described = new Map(catalog.map((model) => [model.id, model]));
  const models = [...new Set([...ids, ...described.keys()])].map((id) => described.get(id) ?? { id });
  const reserved = models.find(({ id }) => id.startsWith('stack:'));
  if (reserved !== undefined) {
    throw new Error(`No model can be called "${reserved.id}": names with "stack:" are those of stacks.`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(models));
  if (bytes > JSON_BYTES_MAX) {
    throw new Error(
      `The hosted models take ${bytes} bytes as JSON, and functions can be told ${JSON_BYTES_MAX}: ` +
        'leave models, or names of models, out of RESPOND_MODELS and RESPOND_CATALOG.',
    );
  }
  return models;
}

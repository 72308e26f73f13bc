import type { HostedModel } from '#shared/platform/schema/hosted-model.ts';
import { bedrockCharacters } from './bedrock-access.ts';

/** The models are in an environment variable of functions; Lambda's limit for all variables is 4 KB. */
const JSON_BYTES_MAX = 2_000;

/**
 * IAM's limit for the inline policies of a role is 10,240 characters, and cannot be raised. The functions that call the
 * hosted models use the rest for everything else; the worker of evals has the largest rest.
 */
const POLICY_CHARACTERS_MAX = 6_200;
/** What asking trained models takes of it, with the key that encrypts imported ones. */
const TRAINED_CHARACTERS: ReadonlyMap<string, number> = new Map([
  ['amazon_bedrock', 600],
  ['amazon_sagemaker', 300],
]);

/**
 * Checks that a role can name all hosted models of Amazon Bedrock, beside the trained ones of these platforms.
 * @throws Error that says what to change
 */
export function requireGrantable(models: readonly HostedModel[], platforms: readonly string[]): void {
  const trained = platforms.reduce((sum, name) => sum + (TRAINED_CHARACTERS.get(name) ?? 0), 0);
  const most = POLICY_CHARACTERS_MAX - trained;
  const characters = bedrockCharacters(models.map(({ id }) => id));
  if (characters <= most) return;
  throw new Error(
    `The policy for the hosted models takes up to ${characters} characters, and a role has ${most} for them: ` +
      'leave models out of RESPOND_MODELS and RESPOND_CATALOG. An inference profile takes several times what a model without one takes.',
  );
}

/**
 * The models for `POST /responses`: first those of the ids, in order, then the others of the catalog. Prices and names
 * come from the catalog.
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

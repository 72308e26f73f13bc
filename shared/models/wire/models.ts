import { type Need, need, resource, type Use } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { theSecrets } from '#shared/platform/wire/secrets.ts';
import { connectOpenAi } from '../adapters/openai-compatible.ts';
import type { EmbeddingClient, ModelClient } from '../decide/port.ts';
import { measureEmbeddings, measureModel } from './measure-models.ts';

export interface ConfiguredModels {
  /** Null if the installation has no model for the role. */
  generator(role: Exclude<ModelRole, 'embed'>): ModelClient | null;
  embedder(): EmbeddingClient | null;
}

/** An endpoint of models, by their ids. */
export interface ModelEndpoint {
  model(modelId: string): ModelClient;
  embeddings(modelId: string): EmbeddingClient;
}

/** The endpoint of the models that work on rows, for so many calls at once. */
export const theModels = /* @__PURE__ */ resource<(connectionsMax: number) => Promise<ModelEndpoint>>(
  'models',
  (use) => async (connectionsMax) => {
    const { env } = use;
    const timeoutSeconds = env.modelTimeoutSeconds();
    if (env.modelProvider() === 'bedrock') {
      const { connectBedrock } = await import('../adapters/bedrock.ts');
      return connectBedrock({
        region: env.region(),
        connectionsMax,
        timeoutSeconds,
        cachesPrompts: env.modelCachesPrompts(),
      });
    }
    const apiKey = await use(theSecrets)('model_api_key')();
    return connectOpenAi({
      baseUrl: env.modelBaseUrl(),
      apiKey,
      connectionsMax,
      timeoutSeconds,
      trace: outgoingTrace,
    });
  },
);

const configured = (endpoint: ModelEndpoint, { env }: Use): ConfiguredModels => ({
  generator: (role) => {
    const id = env.optionalModelId(role);
    return id === null ? null : measureModel(endpoint.model(id), role);
  },
  embedder: () => {
    const id = env.optionalModelId('embed');
    return id === null ? null : measureEmbeddings(endpoint.embeddings(id));
  },
});

/** The models of the given roles; they share one set of connections for the life of the process. */
export function models(
  roles: readonly ModelRole[],
  connectionsMax: (use: Use) => number,
): Need<() => Promise<ConfiguredModels>> {
  return need({ models: roles, secrets: ['model_api_key'] }, (use) =>
    once(async () => configured(await use(theModels)(connectionsMax(use)), use)),
  );
}

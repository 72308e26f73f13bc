import { type Need, need, resource, type Use } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { theSecrets } from '#shared/platform/wire.ts';
import { theObjects } from '#shared/platform/wire-bucket.ts';
import { connectOpenAiBatches } from './adapters/openai-batches.ts';
import { connectOpenAi } from './adapters/openai-compatible.ts';
import { connectSearxng } from './adapters/searxng.ts';
import type { BatchProvider } from './decide/batch-provider.ts';
import type { EmbeddingClient, ModelClient } from './decide/port.ts';
import type { SearchProvider } from './decide/search/port.ts';
import { createLeftOutParts, type LeftOutParts, measureEmbeddings, measureModel } from './measure-models.ts';

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

/** What the models of the process do not take. */
export const theLeftOutParts = /* @__PURE__ */ resource<LeftOutParts>('parts that models do not take', () =>
  createLeftOutParts(),
);

/** The endpoint of the models that work on rows, for so many calls at once. */
export const theModels = /* @__PURE__ */ resource<(connectionsMax: number) => Promise<ModelEndpoint>>(
  'models',
  (use) => async (connectionsMax) => {
    const { env } = use;
    const timeoutSeconds = env.modelTimeoutSeconds();
    if (env.modelProvider() === 'bedrock') {
      const { connectBedrock } = await import('./adapters/bedrock.ts');
      return connectBedrock({
        region: env.region(),
        connectionsMax,
        timeoutSeconds,
        cachesPrompts: env.modelCachesPrompts(),
        onLeftOut: use(theLeftOutParts).tell,
      });
    }
    const apiKey = await use(theSecrets)('model_api_key')();
    return connectOpenAi({
      baseUrl: env.modelBaseUrl(),
      apiKey,
      connectionsMax,
      timeoutSeconds,
      trace: outgoingTrace,
      onLeftOut: use(theLeftOutParts).tell,
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

/** The web search of the installation; null if none is configured. */
export const theSearch = /* @__PURE__ */ resource<SearchProvider | null>('web search', ({ env }) => {
  const baseUrl = env.searchBaseUrl();
  return baseUrl === null ? null : connectSearxng({ baseUrl, connectionsMax: env.searchConcurrency() });
});

export const searchProvider = /* @__PURE__ */ need({ search: true }, (use) => use(theSearch));

/** The batch interface of the model provider; null if the installation makes no batch jobs. */
export const theBatchProvider = /* @__PURE__ */ resource<() => Promise<BatchProvider | null>>(
  'batch jobs',
  (use) => async () => {
    const { env } = use;
    if (!env.modelBatchJobs()) return null;
    if (env.modelProvider() === 'bedrock') {
      const { connectBedrockBatches } = await import('./adapters/bedrock-batches.ts');
      return connectBedrockBatches({
        region: env.region(),
        timeoutSeconds: env.modelTimeoutSeconds(),
        bucketName: env.bucketName(),
        roleArn: env.batchJobRoleArn(),
        tags: env.jobTags(),
        objects: use(theObjects),
      });
    }
    return connectOpenAiBatches({
      baseUrl: env.modelBaseUrl(),
      apiKey: await use(theSecrets)('model_api_key')(),
      connectionsMax: 1,
      timeoutSeconds: env.modelTimeoutSeconds(),
      objects: use(theObjects),
    });
  },
);

/** Connects to the batch interface of the model provider, once. */
export const batchProvider = (batchJobs: 'cancel' | 'write') =>
  need({ models: ['rewrite', 'answer', 'judge'], secrets: ['model_api_key'], batchJobs }, (use) =>
    once(() => use(theBatchProvider)()),
  );

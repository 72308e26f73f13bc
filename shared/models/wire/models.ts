import { createSecretReader } from '#shared/platform/adapters/secret-reader.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { type Need, need } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { connectOpenAi } from '../adapters/openai-compatible.ts';
import type { EmbeddingClient, ModelClient } from '../decide/port.ts';
import { measureEmbeddings, measureModel } from './measure-models.ts';

export interface ConfiguredModels {
  /** Null if the installation has no model for the role. */
  generator(role: Exclude<ModelRole, 'embed'>): ModelClient | null;
  embedder(): EmbeddingClient | null;
}

async function connect(connectionsMax: number): Promise<ConfiguredModels> {
  const timeoutSeconds = env.modelTimeoutSeconds();
  if (env.modelProvider() === 'bedrock') {
    const { connectBedrock } = await import('../adapters/bedrock.ts');
    const bedrock = connectBedrock({
      region: env.region(),
      connectionsMax,
      timeoutSeconds,
      cachesPrompts: env.modelCachesPrompts(),
    });
    return configured(bedrock);
  }
  const apiKey = await createSecretReader(env.secretArn('model_api_key'))();
  return configured(
    connectOpenAi({
      baseUrl: env.modelBaseUrl(),
      apiKey,
      connectionsMax,
      timeoutSeconds,
      trace: outgoingTrace,
    }),
  );
}

function configured(endpoint: {
  model(modelId: string): ModelClient;
  embeddings(modelId: string): EmbeddingClient;
}): ConfiguredModels {
  return {
    generator: (role) => {
      const id = env.optionalModelId(role);
      return id === null ? null : measureModel(endpoint.model(id), role);
    },
    embedder: () => {
      const id = env.optionalModelId('embed');
      return id === null ? null : measureEmbeddings(endpoint.embeddings(id));
    },
  };
}

/** The models of the given roles; they share one set of connections for the life of the process. */
export function models(
  roles: readonly ModelRole[],
  connectionsMax: () => number,
): Need<() => Promise<ConfiguredModels>> {
  return need({ models: roles, secrets: ['model_api_key'] }, () => once(() => connect(connectionsMax())));
}

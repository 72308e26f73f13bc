import { type EmbeddingClient, type ModelClient, ModelError } from '../domain/model/port.ts';
import type { ModelRole } from '../schema/model-role.ts';
import { recordMetric } from './metrics.ts';

async function measure<T>(role: ModelRole, call: () => Promise<T>): Promise<T> {
  const started = performance.now();
  recordMetric('ModelCalls', { role });
  try {
    const answer = await call();
    recordMetric('ModelMilliseconds', { role }, performance.now() - started);
    return answer;
  } catch (error) {
    if (error instanceof ModelError) {
      if (error.kind === 'throttled') recordMetric('ModelThrottles', { role });
      else recordMetric('ModelErrors', { kind: error.kind });
    }
    throw error;
  }
}

/** A model in one role, its calls and tokens counted. */
export function measureModel(client: ModelClient, role: ModelRole): ModelClient {
  return {
    ...client,
    generate: async (request, signal) => {
      const generation = await measure(role, () => client.generate(request, signal));
      recordMetric('ModelInputTokens', { role }, generation.usage.input_tokens);
      recordMetric('ModelOutputTokens', { role }, generation.usage.output_tokens);
      return generation;
    },
  };
}

export function measureEmbeddings(client: EmbeddingClient): EmbeddingClient {
  return { ...client, embed: (texts, signal) => measure('embed', () => client.embed(texts, signal)) };
}

import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { type EmbeddingClient, type ModelClient, ModelError } from '../decide/port.ts';
import type { AnsweringModel } from '../decide/turn.ts';

async function measure<T>(role: ModelRole, call: () => Promise<T>): Promise<T> {
  const started = performance.now();
  recordMetric('ModelCalls', { role });
  try {
    const answer = await call();
    recordMetric('ModelMilliseconds', { role }, performance.now() - started);
    return answer;
  } catch (error) {
    recordFailure(error, role);
    throw error;
  }
}

function recordFailure(error: unknown, role: ModelRole): void {
  if (!(error instanceof ModelError)) return;
  if (error.kind === 'throttled') recordMetric('ModelThrottles', { role });
  else recordMetric('ModelErrors', { kind: error.kind });
}

/** A model in one role, with metrics for calls and tokens. */
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

/** A model for responses, with metrics for calls and tokens; an abandoned stream counts as a call. */
export function measureAnswering(model: AnsweringModel): AnsweringModel {
  const role = 'respond';
  return {
    ...model,
    async *answer(request, signal) {
      const started = performance.now();
      recordMetric('ModelCalls', { role });
      try {
        for await (const part of model.answer(request, signal)) {
          if (part.type === 'end') {
            recordMetric('ModelMilliseconds', { role }, performance.now() - started);
            recordMetric('ModelInputTokens', { role }, part.usage?.inputTokens ?? 0);
            recordMetric('ModelOutputTokens', { role }, part.usage?.outputTokens ?? 0);
          }
          yield part;
        }
      } catch (error) {
        recordFailure(error, role);
        throw error;
      }
    },
  };
}

export function measureEmbeddings(client: EmbeddingClient): EmbeddingClient {
  return { ...client, embed: (texts, signal) => measure('embed', () => client.embed(texts, signal)) };
}

import {
  logModelCall,
  type ModelCall,
  type ModelCallResult,
} from '#shared/platform/runtime/log-model-call.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { type EmbeddingClient, type ModelClient, ModelError, type OnLeftOut } from './decide/port.ts';

/** @param resultOf what is logged of the answer besides */
async function measure<T>(
  call: ModelCall,
  ask: () => Promise<T>,
  resultOf: (answer: T) => ModelCallResult = () => ({}),
): Promise<T> {
  const { role } = call;
  const started = performance.now();
  recordMetric('ModelCalls', { role });
  try {
    const answer = await ask();
    recordMetric('ModelMilliseconds', { role }, performance.now() - started);
    logModelCall(call, started, resultOf(answer));
    return answer;
  } catch (error) {
    recordFailure(error, role);
    logModelCall(call, started, { kind: failureOf(error) });
    throw error;
  }
}

/** What is logged of the failure of a call: nothing that was sent or received. */
export const failureOf = (error: unknown): string => (error instanceof ModelError ? error.kind : 'aborted');

/** Counts a failed call of a model. */
export function recordFailure(error: unknown, role: ModelRole): void {
  if (!(error instanceof ModelError)) return;
  if (error.kind === 'exhausted') recordMetric('ModelQuotaRefusals', { role });
  if (error.kind === 'throttled' || error.kind === 'exhausted') recordMetric('ModelThrottles', { role });
  else recordMetric('ModelErrors', { kind: error.kind });
}

/** A model in one role, with metrics for calls and tokens. */
export function measureModel(client: ModelClient, role: ModelRole): ModelClient {
  return {
    ...client,
    generate: async (request, signal) => {
      const generation = await measure(
        { operation: 'chat', model: client.modelId, role },
        () => client.generate(request, signal),
        ({ usage, finishReason }) => ({ ...usage, finish_reason: finishReason }),
      );
      recordMetric('ModelInputTokens', { role }, generation.usage.input_tokens);
      recordMetric('ModelOutputTokens', { role }, generation.usage.output_tokens);
      return generation;
    },
  };
}

export function measureEmbeddings(client: EmbeddingClient): EmbeddingClient {
  const call = { operation: 'embeddings', model: client.modelId, role: 'embed' } as const;
  return { ...client, embed: (texts, signal) => measure(call, () => client.embed(texts, signal)) };
}

/** What models of this process do not take, so that requests leave it out. */
export interface LeftOutParts {
  readonly tell: OnLeftOut;
  /** By model id. */
  all(): Readonly<Record<string, readonly OptionalPart[]>>;
}

/** Remembers what is left out; logs and counts each part of a model once. */
export function createLeftOutParts(): LeftOutParts {
  const parts = new Map<string, OptionalPart[]>();
  return {
    tell(modelId, part) {
      const known = parts.get(modelId) ?? [];
      if (known.includes(part)) return;
      parts.set(modelId, [...known, part]);
      logger.warn('requests leave out what the model does not take', { model: modelId, part });
      recordMetric('ModelPartsLeftOut', { part });
    },
    all: () => Object.fromEntries(parts),
  };
}

import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { newAsking, newLimit, reportingOutage } from './asking.ts';
import type { AdaptiveLimit } from './decide/adaptive-limit.ts';
import { AskFailure, askEmbeddings, newCallMeter } from './decide/ask-model.ts';
import type { Clock } from './decide/clock.ts';
import type { EmbeddingClient } from './decide/port.ts';

export interface EmbedTextsPorts {
  /** Null if the installation has no model for it. */
  readonly embedder: EmbeddingClient | null;
  readonly callsMax: number;
  readonly outageSecondsMax: number;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** What was learned of the model's pace, for several calls of `embedTexts`; absent: each begins anew. */
  readonly limit?: AdaptiveLimit;
}

const TEXTS_AT_ONCE = 32;
/** The topic of a text is at its start, and models take at most a few hundred words. */
const CHARACTERS_MAX = 1000;

export interface EmbeddedTexts {
  readonly model: string;
  /** Of unit length, one for each text, in order. */
  readonly vectors: Float32Array[];
}

/** What a model reads of a text: two texts with the same beginning have the same vector. */
export const embeddedPart = (text: string): string => text.slice(0, CHARACTERS_MAX);

/**
 * @throws {ServiceError} `model_unavailable` without an embedding model, or if it does not respond;
 * `model_quota_exhausted` if its tokens are used up
 * @throws the reason of `signal`, if it aborts
 */
export async function embedTexts(
  ports: EmbedTextsPorts,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<EmbeddedTexts> {
  const { embedder, clock, random, callsMax, outageSecondsMax, limit } = ports;
  if (embedder === null) {
    throw new ServiceError(
      'model_unavailable',
      'The installation has no embedding model: its operator sets MODEL_ID_EMBED.',
    );
  }
  const asking = {
    ...newAsking(clock, random, limit ?? newLimit(clock, random, callsMax), outageSecondsMax),
    ...(signal === undefined ? {} : { signal }),
  };
  const batches: string[][] = [];
  for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
    batches.push(texts.slice(at, at + TEXTS_AT_ONCE).map(embeddedPart));
  }
  const found: (readonly Float32Array[])[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < batches.length; n = next++) {
      found[n] = await askEmbeddings(embedder, batches[n] as string[], asking, newCallMeter());
    }
  };
  try {
    await reportingOutage(async () => {
      await Promise.all(Array.from({ length: Math.min(callsMax, batches.length) }, work));
    });
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    throw new ServiceError('model_unavailable', `The embedding model does not answer: ${error.message}.`, {
      cause: error,
    });
  }
  return { model: embedder.modelId, vectors: found.flat() };
}

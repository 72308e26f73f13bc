import { newAsking, newLimit } from '#shared/models/asking.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { EmbeddingClient, ModelClient } from '#shared/models/decide/port.ts';
import type { Inference } from '#shared/runs/schema/invention.ts';
import { inferTopics as infer } from './decide/invent/infer-topics.ts';

export interface InferTopicsPorts {
  readonly models: { readonly model: ModelClient | null; readonly embedder: EmbeddingClient | null };
  readonly clock: Clock;
  readonly random: () => number;
}

/** A caller waits: a slower result counts as unavailable. */
const SECONDS_MAX = 15;
const CALLS_MAX = 2;

/** The topics of a description, or why there are none. */
export async function inferTopics(
  { models, clock, random }: InferTopicsPorts,
  prompt: string,
): Promise<Inference> {
  const time = AbortSignal.timeout(SECONDS_MAX * 1000);
  const limit = newLimit(clock, random, CALLS_MAX);
  const asking = { ...newAsking(clock, random, limit, SECONDS_MAX), attemptsMax: 2, signal: time };
  return infer(models, prompt, asking).catch((error: unknown) => {
    if (time.aborted) return { problem: 'unavailable' as const };
    throw error;
  });
}

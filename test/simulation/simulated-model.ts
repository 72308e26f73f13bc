import { type EmbeddingClient, type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import type { AnsweringModel } from '#shared/models/decide/turn.ts';
import type { ModelEndpoint } from '#shared/models/wire-providers.ts';
import { saying } from '#test/helpers/scripted-answerer.ts';
import { complete, embed } from '#test/helpers/scripted-model.ts';
import { type Cloud, request } from './cloud.ts';

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

export const ANSWERING_MODEL = 'scripted';

const MINUTE = 60_000;

/**
 * A model whose answers follow from rules, each in words of its own: whoever asks again is answered otherwise. It is throttled, away or
 * talks nonsense now and then.
 */
export function createSimulatedModels(cloud: Cloud): () => Promise<ModelEndpoint> {
  const { faults, swarm } = cloud;
  let answers = 0;
  const ask = <T>(where: string, answer: () => T, nonsense: () => T): Promise<T> => {
    const isThrottled = faults.strikes('model throttled', () => where);
    const isAway = faults.strikes('model unavailable', () => where);
    const isNonsense = faults.strikes('model answers nonsense', () => where);
    return request(cloud, { where, isWrite: false, mean: swarm.modelMilliseconds }, () => {
      if (isThrottled) throw new ModelError('throttled', 'Slow down.');
      if (isAway) throw new ModelError('unavailable', 'The model is away.');
      return isNonsense ? nonsense() : answer();
    });
  };
  const model = (modelId: string): ModelClient => ({
    modelId,
    generate: ({ messages, maxOutputTokens, seed, jsonSchema }, signal) =>
      abortable(
        signal,
        ask(
          `a call of ${modelId}`,
          () => {
            const { choices, usage } = complete(
              {
                messages: messages.map(({ role, content }) => ({ role, content })),
                max_tokens: maxOutputTokens,
                ...(seed === undefined ? {} : { seed }),
                ...(jsonSchema === undefined ? {} : { response_format: { json_schema: jsonSchema } }),
              },
              { ordinal: answers++ },
            ) as Completion;
            return {
              text: choices[0]?.message.content ?? '',
              finishReason: 'stop' as 'stop' | 'length',
              usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
            };
          },
          () => ({
            text: '{"',
            finishReason: 'length' as const,
            usage: { input_tokens: 1, output_tokens: 1 },
          }),
        ),
      ),
  });
  const embeddings = (modelId: string): EmbeddingClient => {
    const vectorsOf = (texts: readonly string[]): Float32Array[] => {
      const { data } = embed({ input: texts }) as { data: readonly { embedding: number[] }[] };
      return data.map(({ embedding }) => {
        const length = Math.hypot(...embedding) || 1;
        return Float32Array.from(embedding, (value) => value / length);
      });
    };
    return {
      modelId,
      embed: (texts, signal) =>
        abortable(
          signal,
          ask(
            `embeddings of ${modelId}`,
            () => vectorsOf(texts),
            () => vectorsOf(texts),
          ),
        ),
    };
  };
  const endpoint = { model, embeddings };
  return async () => endpoint;
}

/**
 * A model that answers requests with what it is asked, and which is throttled, away or breaks off now and then.
 * @param isStarted whether it has been started, if it is one of those that have to be
 */
export function createSimulatedAnswerer(cloud: Cloud, isStarted = (): boolean => true): AnsweringModel {
  const { faults, clock, random, swarm } = cloud;
  let overloadedUntil = 0;
  return {
    modelId: ANSWERING_MODEL,
    forwards: () => false,
    async *answer({ items }, signal) {
      const last = items.findLast((item) => item.type === 'message');
      const asked = last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
      const where = `an answer of ${ANSWERING_MODEL}`;
      if (faults.strikes('model overloaded', () => where))
        overloadedUntil = clock.now() + random.pick([MINUTE, 30 * MINUTE, 6 * 60 * MINUTE]);
      const isOverloaded = clock.now() < overloadedUntil && !faults.isOver;
      const isThrottled = faults.strikes('model throttled', () => where) || isOverloaded;
      const isAway = faults.strikes('model unavailable', () => where);
      const isBroken = faults.strikes('model answers nonsense', () => where);
      await abortable(
        signal,
        request(cloud, { where, isWrite: false, mean: swarm.modelMilliseconds }, () => {}),
      );
      if (isThrottled) throw new ModelError('throttled', 'Slow down.');
      if (isAway) throw new ModelError('unavailable', 'The model is away.');
      if (!isStarted()) throw new ModelError('unavailable', 'It is being started.', { isStarting: true });
      const parts = saying(`You ask: ${asked}`);
      for (const part of isBroken ? parts.slice(0, 2) : parts) {
        yield part;
        await abortable(signal, clock.sleep(random.wait(40)));
      }
      if (isBroken) throw new ModelError('garbage', 'The stream ended early.');
    },
  };
}

/** Rejects with the reason of `signal`, as a client of HTTP does. */
function abortable<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

import * as z from 'zod';
import { type EmbeddingClient, type ModelClient, ModelError, type OnLeftOut } from '../decide/port.ts';
import type { AnsweringModel } from '../decide/turn.ts';
import { readChatTurn, toChatTurnBody } from './openai-chat-turn.ts';
import { DISPENSABLE, partOf, toCompletionBody, toGeneration } from './openai-completion.ts';
import { connectOpenAiHttp, type OpenAiOptions } from './openai-connection.ts';
import { MARKS, newDialect, tryDialect } from './openai-dialect.ts';
import { endsResponse, isForwarded, readResponseTurn, toResponseBody } from './openai-responses-turn.ts';
import { toUnitLength } from './unit-length.ts';

export interface OpenAiEndpoint {
  model(modelId: string): ModelClient;
  embeddings(modelId: string): EmbeddingClient;
  answering(modelId: string, api: AnsweringApi): AnsweringModel;
  /** Ids of the models that the endpoint serves. @throws {ModelError} */
  listModels(signal?: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
}

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

const Embeddings = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

/**
 * The APIs for answers to callers. Fields that affect the answer are not optional, so their errors go to the caller.
 */
const ANSWERING = {
  chat: {
    path: '/chat/completions',
    forwards: () => false,
    toBody: toChatTurnBody,
    read: readChatTurn,
    // `[DONE]` follows.
    isLast: () => false,
    dispensable: ['stream_options', 'reasoning_content', ...MARKS],
  },
  responses: {
    path: '/responses',
    forwards: isForwarded,
    toBody: toResponseBody,
    read: readResponseTurn,
    isLast: endsResponse,
    dispensable: ['include', 'store', ...MARKS],
  },
} as const;
export type AnsweringApi = keyof typeof ANSWERING;

/**
 * Any server with OpenAI's chat completions or responses API, and embeddings: vLLM, llama.cpp, Ollama, Together,
 * OpenAI.
 */
export function connectOpenAi(
  options: OpenAiOptions & { readonly onLeftOut?: OnLeftOut | undefined },
): OpenAiEndpoint {
  const connection = connectOpenAiHttp(options);

  function model(modelId: string): ModelClient {
    const dialect = newDialect();
    return {
      modelId,
      async generate(request, signal) {
        const tried = tryDialect(dialect, DISPENSABLE);
        for (;;) {
          try {
            const body = await connection.post(
              '/chat/completions',
              toCompletionBody(modelId, request, tried.dialect),
              signal,
            );
            const generation = toGeneration(body);
            tried.keep();
            return generation;
          } catch (error) {
            const field = tried.leaveOut(error);
            if (field === null) throw error;
            const part = partOf(field);
            if (part !== undefined) options.onLeftOut?.(modelId, part);
          }
        }
      },
    };
  }

  function answering(modelId: string, api: AnsweringApi): AnsweringModel {
    const dialect = newDialect();
    const { path, forwards, toBody, read, isLast, dispensable } = ANSWERING[api];
    return {
      modelId,
      forwards,
      async *answer(request, signal) {
        const tried = tryDialect(dialect, dispensable);
        for (;;) {
          let hasBegun = false;
          try {
            const body = toBody(modelId, request, tried.dialect);
            const events = connection.stream(path, body, signal, isLast);
            for await (const part of read(events)) {
              if (!hasBegun) tried.keep();
              hasBegun = true;
              yield part;
            }
            return;
          } catch (error) {
            if (hasBegun || tried.leaveOut(error) === null) throw error;
          }
        }
      },
    };
  }

  function embeddings(modelId: string): EmbeddingClient {
    return {
      modelId,
      async embed(texts, signal) {
        if (texts.length === 0) {
          return [];
        }
        const body = await connection.post(
          '/embeddings',
          { model: modelId, input: texts, encoding_format: 'float' },
          signal,
        );
        return toVectors(body, texts.length);
      },
    };
  }

  async function listModels(signal?: AbortSignal): Promise<string[]> {
    const parsed = Models.safeParse(await connection.get('/models', signal));
    if (!parsed.success) throw new ModelError('garbage', "The model endpoint's answer is no list of models");
    return parsed.data.data.map(({ id }) => id);
  }

  return { model, embeddings, answering, listModels, close: connection.close };
}

function toVectors(body: unknown, count: number): Float32Array[] {
  const parsed = Embeddings.safeParse(body);
  const rows = parsed.data?.data.toSorted((a, b) => a.index - b.index);
  if (rows?.length !== count || rows.some((row, n) => row.index !== n)) {
    throw new ModelError('garbage', "The model endpoint's answer is not one embedding for each text");
  }
  return rows.map((row) => toUnitLength(row.embedding));
}

import * as z from 'zod';
import {
  type ChatMessage,
  type EmbeddingClient,
  type GenerateRequest,
  type Generation,
  type ModelClient,
  ModelError,
} from '../decide/port.ts';
import type { AnsweringModel } from '../decide/turn.ts';
import { readChatTurn, toChatTurnBody } from './openai-chat-turn.ts';
import { connectOpenAiHttp, FieldRefused, type OpenAiOptions } from './openai-connection.ts';
import { type Dialect, learn, MARKS, newDialect } from './openai-dialect.ts';
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

const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
});

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

const Embeddings = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

/** Optional fields of requests for rows. */
const DISPENSABLE = ['temperature', 'seed', 'response_format'];

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
export function connectOpenAi(options: OpenAiOptions): OpenAiEndpoint {
  const connection = connectOpenAiHttp(options);

  function model(modelId: string): ModelClient {
    const dialect = newDialect();
    return {
      modelId,
      async generate(request, signal) {
        for (;;) {
          try {
            const body = await connection.post(
              '/chat/completions',
              toBody(modelId, request, dialect),
              signal,
            );
            return toGeneration(body);
          } catch (error) {
            if (!(error instanceof FieldRefused) || !learn(dialect, error.field, DISPENSABLE)) {
              throw error;
            }
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
        for (;;) {
          let hasBegun = false;
          try {
            const body = toBody(modelId, request, dialect);
            const events = connection.stream(path, body, signal, isLast);
            for await (const part of read(events)) {
              hasBegun = true;
              yield part;
            }
            return;
          } catch (error) {
            const isLearned =
              !hasBegun && error instanceof FieldRefused && learn(dialect, error.field, dispensable);
            if (!isLearned) throw error;
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

function toBody(modelId: string, request: GenerateRequest, dialect: Dialect): Record<string, unknown> {
  const body: Record<string, unknown> = {
    model: modelId,
    messages: request.messages.map(toMessage),
    [dialect.tokensField]: request.maxOutputTokens,
  };
  if (!dialect.refused.has('temperature')) {
    body.temperature = request.temperature;
  }
  if (request.seed !== undefined && !dialect.refused.has('seed')) {
    body.seed = request.seed;
  }
  if (request.jsonSchema !== undefined && !dialect.refused.has('response_format')) {
    const { name, schema } = request.jsonSchema;
    body.response_format = { type: 'json_schema', json_schema: { name, schema, strict: true } };
  }
  return body;
}

function toMessage({ role, content, images = [] }: ChatMessage): Record<string, unknown> {
  if (images.length === 0) return { role, content };
  const shown = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  return { role, content: [...shown, { type: 'text', text: content }] };
}

function toGeneration(body: unknown): Generation {
  const parsed = Completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) {
    throw new ModelError('garbage', "The model endpoint's answer is not a chat completion");
  }
  const { usage } = parsed.data;
  return {
    text: choice.message.content ?? '',
    finishReason:
      choice.finish_reason === 'length'
        ? 'length'
        : choice.finish_reason === 'content_filter'
          ? 'filtered'
          : 'stop',
    usage: { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 },
  };
}

function toVectors(body: unknown, count: number): Float32Array[] {
  const parsed = Embeddings.safeParse(body);
  const rows = parsed.data?.data.toSorted((a, b) => a.index - b.index);
  if (rows?.length !== count || rows.some((row, n) => row.index !== n)) {
    throw new ModelError('garbage', "The model endpoint's answer is not one embedding for each text");
  }
  return rows.map((row) => toUnitLength(row.embedding));
}

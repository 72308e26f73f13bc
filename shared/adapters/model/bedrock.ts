import type {
  BedrockRuntimeClient,
  ConverseCommandInput,
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  InvokeModelCommandOutput,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import {
  type EmbeddingClient,
  type GenerateRequest,
  type ModelClient,
  ModelError,
  type ModelFailureKind,
} from '#shared/domain/model/port.ts';
import type { AnsweringModel } from '#shared/domain/model/turn.ts';
import { toImage } from './bedrock-image.ts';
import { readConverseStream, toConverseStream, toTextEnd } from './bedrock-turn.ts';
import { parseRetryAfter } from './retry-after.ts';
import { toUnitLength } from './unit-length.ts';

export interface BedrockOptions {
  readonly region: string;
  /** The whole of one call; of a streamed answer, until it begins, and again between any two of its pieces. */
  readonly timeoutSeconds: number;
  readonly connectionsMax: number;
  /** Whether a cache point is set after the part of the prompt that all rows share, for models that support it. */
  readonly cachesPrompts?: boolean;
}

export interface BedrockEndpoint {
  /** `modelId` may be an inference profile. */
  model(modelId: string): ModelClient;
  embeddings(modelId: string): EmbeddingClient;
  answering(modelId: string): AnsweringModel;
  close(): void;
}

type Sdk = typeof import('@aws-sdk/client-bedrock-runtime');

/** Amazon Bedrock. The SDK is loaded with the first call; its own retries are off, since the caller has better. */
export function connectBedrock(options: BedrockOptions): BedrockEndpoint {
  let connection: Promise<{ sdk: Sdk; client: BedrockRuntimeClient }> | null = null;

  async function connect(): Promise<{ sdk: Sdk; client: BedrockRuntimeClient }> {
    const sdk = await import('@aws-sdk/client-bedrock-runtime');
    const client = new sdk.BedrockRuntimeClient({
      region: options.region,
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: 10_000,
        httpsAgent: { maxSockets: options.connectionsMax, keepAlive: true },
      },
    });
    return { sdk, client };
  }

  /** The events of a streamed answer; silence, like an aborted signal, ends it wherever it is. */
  async function* stream(
    input: ConverseStreamCommandInput,
    signal: AbortSignal,
  ): AsyncGenerator<ConverseStreamOutput, void> {
    signal.throwIfAborted();
    connection ??= connect();
    const { sdk, client } = await connection;
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const within = async <T>(waiting: Promise<T>): Promise<T> => {
      const silence = setTimeout(() => {
        ending.abort(
          new ModelError('timeout', `The model did not answer within ${options.timeoutSeconds} s`),
        );
      }, options.timeoutSeconds * 1000);
      try {
        return await untilAborted(waiting, ending.signal);
      } finally {
        clearTimeout(silence);
      }
    };
    try {
      const sent = client.send(new sdk.ConverseStreamCommand(input), { abortSignal: ending.signal });
      const { stream: events } = await within(sent);
      if (events === undefined) throw new ModelError('garbage', 'Bedrock answered without a stream');
      const iterator = events[Symbol.asyncIterator]();
      for (;;) {
        const next = await within(iterator.next());
        if (next.done === true) return;
        yield next.value;
      }
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : toModelError(error);
    } finally {
      signal.removeEventListener('abort', onAbort);
      // Leaves the connection where the stream was not read to its end.
      ending.abort();
    }
  }

  async function send<T>(
    signal: AbortSignal | undefined,
    call: (sdk: Sdk, client: BedrockRuntimeClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    connection ??= connect();
    const { sdk, client } = await connection;
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      ending.abort(new ModelError('timeout', `The model did not answer within ${options.timeoutSeconds} s`));
    }, options.timeoutSeconds * 1000);
    try {
      return await call(sdk, client, ending.signal);
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : toModelError(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    model: (modelId) => ({
      modelId,
      generate: (request, signal) =>
        send(signal, async (sdk, client, abortSignal) => {
          const command = new sdk.ConverseCommand(
            toConverse(modelId, request, options.cachesPrompts ?? true),
          );
          const { output, stopReason, usage } = await client.send(command, { abortSignal });
          if (output?.message === undefined) {
            throw new ModelError('garbage', 'Bedrock answered without a message');
          }
          return {
            text: (output.message.content ?? []).map((block) => block.text ?? '').join(''),
            finishReason: toTextEnd(stopReason),
            usage: {
              // What is read from or written into a cache is counted apart.
              input_tokens:
                (usage?.inputTokens ?? 0) +
                (usage?.cacheReadInputTokens ?? 0) +
                (usage?.cacheWriteInputTokens ?? 0),
              output_tokens: usage?.outputTokens ?? 0,
            },
          };
        }),
    }),

    embeddings: (modelId) => ({
      modelId,
      embed: (texts, signal) =>
        send(signal, async (sdk, client, abortSignal) => {
          const invoke = async (body: unknown): Promise<unknown> => {
            const command = new sdk.InvokeModelCommand({
              modelId,
              contentType: 'application/json',
              accept: 'application/json',
              body: JSON.stringify(body),
            });
            return readBody(await client.send(command, { abortSignal }));
          };
          return /cohere\./.test(modelId) ? embedByCohere(invoke, texts) : embedByTitan(invoke, texts);
        }),
    }),

    answering: (modelId) => ({
      modelId,
      forwards: () => false,
      async *answer(request, signal) {
        const keeps = (options.cachesPrompts ?? true) && KEEPS_PROMPTS.test(modelId);
        const input = toConverseStream(modelId, request, keeps);
        yield* readConverseStream(stream(input, signal), request.parallelToolCalls !== false);
      },
    }),

    close() {
      void connection?.then(({ client }) => client.destroy());
    },
  };
}

/**
 * Waits for a promise or for `signal`. Each wait has its own listener: one promise for the whole stream would keep
 * every chunk that was raced against it.
 */
async function untilAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([waiting, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Models that take a cache point, by what AWS names (Claude from 3.5 Haiku and 3.7 Sonnet on, Nova); others refuse
 * the request. A prefix shorter than about a thousand tokens is simply not kept.
 */
const KEEPS_PROMPTS =
  /anthropic\.claude-(3-5-haiku|3-7-sonnet|(opus|sonnet|haiku)-[4-9])|amazon\.nova-(micro|lite|pro|premier)/;

function toConverse(modelId: string, request: GenerateRequest, caches: boolean): ConverseCommandInput {
  const system = request.messages.filter(({ role }) => role === 'system');
  const turns = request.messages.filter(({ role }) => role !== 'system');
  return {
    modelId,
    ...(system.length === 0
      ? {}
      : {
          system: [
            ...system.map(({ content }) => ({ text: content })),
            ...(caches && KEEPS_PROMPTS.test(modelId) ? [{ cachePoint: { type: 'default' as const } }] : []),
          ],
        }),
    messages: turns.map(({ role, content, images = [] }) => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content: [...images.map(toImage), { text: content }],
    })),
    inferenceConfig: { maxTokens: request.maxOutputTokens, temperature: request.temperature },
    ...(request.jsonSchema === undefined
      ? {}
      : {
          outputConfig: {
            textFormat: {
              type: 'json_schema',
              structure: {
                jsonSchema: {
                  name: request.jsonSchema.name,
                  schema: JSON.stringify(request.jsonSchema.schema),
                },
              },
            },
          },
        }),
  };
}

const TitanEmbedding = z.object({ embedding: z.array(z.number()).min(1) });
const Vectors = z.array(z.array(z.number()).min(1));
const CohereEmbeddings = z.object({ embeddings: z.union([Vectors, z.object({ float: Vectors })]) });

/** Titan takes one text a call. */
async function embedByTitan(
  invoke: (body: unknown) => Promise<unknown>,
  texts: readonly string[],
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const inputText of texts) {
    const parsed = TitanEmbedding.safeParse(await invoke({ inputText, normalize: true }));
    if (!parsed.success) {
      throw new ModelError('garbage', "Bedrock's answer is not an embedding");
    }
    vectors.push(toUnitLength(parsed.data.embedding));
  }
  return vectors;
}

/** Cohere takes up to 96 texts a call. */
const COHERE_TEXTS_MAX = 96;

async function embedByCohere(
  invoke: (body: unknown) => Promise<unknown>,
  texts: readonly string[],
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += COHERE_TEXTS_MAX) {
    const batch = texts.slice(at, at + COHERE_TEXTS_MAX);
    const parsed = CohereEmbeddings.safeParse(
      await invoke({ texts: batch, input_type: 'clustering', truncate: 'END' }),
    );
    const answered = parsed.data?.embeddings;
    const rows = Array.isArray(answered) ? answered : answered?.float;
    if (rows?.length !== batch.length) {
      throw new ModelError('garbage', "Bedrock's answer is not one embedding for each text");
    }
    vectors.push(...rows.map(toUnitLength));
  }
  return vectors;
}

function readBody({ body }: InvokeModelCommandOutput): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new ModelError('garbage', "Bedrock's answer is not valid JSON", { cause });
  }
}

const KINDS: Readonly<Record<string, ModelFailureKind>> = {
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  TooManyRequestsException: 'throttled',
  InternalServerException: 'unavailable',
  ServiceUnavailableException: 'unavailable',
  ModelNotReadyException: 'unavailable',
  ModelErrorException: 'unavailable',
  ModelStreamErrorException: 'unavailable',
  ConflictException: 'unavailable',
  ModelTimeoutException: 'timeout',
  TimeoutError: 'timeout',
  AccessDeniedException: 'misconfigured',
  ResourceNotFoundException: 'misconfigured',
  UnrecognizedClientException: 'misconfigured',
  InvalidSignatureException: 'misconfigured',
  ExpiredTokenException: 'misconfigured',
  CredentialsProviderError: 'misconfigured',
  ValidationException: 'rejected',
};

function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) {
    return error;
  }
  const { name, message, $metadata, $response } = error as {
    name?: string;
    message?: string;
    $metadata?: { httpStatusCode?: number };
    $response?: { headers?: Record<string, string> };
  };
  const status = $metadata?.httpStatusCode;
  const kind = KINDS[name ?? ''] ?? kindOfStatus(status);
  const said = `Bedrock answered ${name ?? 'an error'}${status === undefined ? '' : ` (${status})`}`;
  if (
    kind === 'rejected' &&
    /too long|too many (input )?tokens|context (length|window)/i.test(message ?? '')
  ) {
    return new ModelError('too_long', `${said}: the request does not fit the model's context`, {
      cause: error,
    });
  }
  if (kind === 'misconfigured') {
    return new ModelError(
      kind,
      `${said}: check that the account has access to the model in this region and that the role may invoke it`,
      { cause: error },
    );
  }
  const retryAfterSeconds = parseRetryAfter($response?.headers?.['retry-after'], Date.now());
  return new ModelError(kind, said, { retryAfterSeconds, cause: error });
}

/** Errors without a status are the connection's. */
function kindOfStatus(status: number | undefined): ModelFailureKind {
  if (status === undefined || status >= 500) {
    return 'unavailable';
  }
  return status === 429 ? 'throttled' : status === 408 ? 'timeout' : 'rejected';
}

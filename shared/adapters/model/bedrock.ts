import type {
  BedrockRuntimeClient,
  ConverseCommandInput,
  ConverseCommandOutput,
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  InvokeModelCommandOutput,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import {
  type EmbeddingClient,
  type GenerateRequest,
  type Generation,
  type ModelClient,
  ModelError,
  type ModelFailureKind,
} from '#shared/domain/model/port.ts';
import type { AnsweringModel } from '#shared/domain/model/turn.ts';
import { own } from '#shared/domain/own.ts';
import { toImage } from './bedrock-image.ts';
import { toBedrockSchema } from './bedrock-schema.ts';
import { readConverseStream, toConverseStream, toTextEnd } from './bedrock-turn.ts';
import { parseRetryAfter } from './retry-after.ts';
import { toUnitLength } from './unit-length.ts';

export interface BedrockOptions {
  readonly region: string;
  /** Timeout of a whole call; for a stream, until its start, and between two parts. */
  readonly timeoutSeconds: number;
  readonly connectionsMax: number;
  /** Whether to set a cache point after the common part of the prompt, for models that support it. */
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
interface Connection {
  readonly sdk: Sdk;
  readonly client: BedrockRuntimeClient;
}

/**
 * A connection that was idle for this long is not reused: while a function is frozen the server closes it unnoticed,
 * and a request on it would wait for its timeout.
 */
const IDLE_MILLISECONDS = 20_000;

/**
 * Amazon Bedrock. The SDK is loaded with the first call; its own retries are off, because the caller retries better.
 */
export function connectBedrock(options: BedrockOptions): BedrockEndpoint {
  let connection: Promise<Connection> | null = null;
  let usedAt = 0;
  let underWay = 0;
  /** Unsupported request parts by model, learned from the first error. */
  const refused = new Map<string, Set<Dispensable>>();

  const refusedBy = (modelId: string): Set<Dispensable> => {
    const known = refused.get(modelId) ?? new Set();
    refused.set(modelId, known);
    return known;
  };

  async function open(): Promise<Connection> {
    const sdk = await import('@aws-sdk/client-bedrock-runtime');
    // The service uses HTTP/2, whose handler only has these options.
    const client = new sdk.BedrockRuntimeClient({
      region: options.region,
      maxAttempts: 1,
      requestHandler: {
        // A session is idle during reasoning, so this exceeds the timeout of any call.
        sessionTimeout: (options.timeoutSeconds + 10) * 1000,
        maxConcurrentStreams: options.connectionsMax,
      },
    });
    return { sdk, client };
  }

  async function use<T>(call: (connection: Connection) => Promise<T>): Promise<T> {
    if (underWay === 0 && Date.now() - usedAt > IDLE_MILLISECONDS) {
      void connection?.then(({ client }) => client.destroy());
      connection = null;
    }
    connection ??= open();
    underWay += 1;
    try {
      return await call(await connection);
    } finally {
      underWay -= 1;
      usedAt = Date.now();
    }
  }

  /** The events of a stream; a timeout or an aborted signal ends it at any point. */
  async function* stream(
    input: ConverseStreamCommandInput,
    signal: AbortSignal,
  ): AsyncGenerator<ConverseStreamOutput, void> {
    signal.throwIfAborted();
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
    const begin = (): Promise<AsyncIterable<ConverseStreamOutput>> =>
      use(async ({ sdk, client }) => {
        const sent = client.send(new sdk.ConverseStreamCommand(input), { abortSignal: ending.signal });
        const { stream: events } = await within(sent);
        if (events === undefined) throw new ModelError('garbage', 'Bedrock answered without a stream');
        return events;
      });
    try {
      const events = await begin().catch((error: unknown) => {
        if (ending.signal.aborted || !isBrokenConnection(error)) throw error;
        connection = null;
        return begin();
      });
      const iterator = events[Symbol.asyncIterator]();
      for (;;) {
        const next = await within(iterator.next());
        usedAt = Date.now();
        if (next.done === true) return;
        yield next.value;
      }
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : toModelError(error);
    } finally {
      signal.removeEventListener('abort', onAbort);
      // Closes the connection if the stream was not read to its end.
      ending.abort();
    }
  }

  async function send<T>(
    signal: AbortSignal | undefined,
    call: (sdk: Sdk, client: BedrockRuntimeClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      ending.abort(new ModelError('timeout', `The model did not answer within ${options.timeoutSeconds} s`));
    }, options.timeoutSeconds * 1000);
    try {
      return await use(({ sdk, client }) => call(sdk, client, ending.signal));
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
      async generate(request, signal) {
        const learned = refusedBy(modelId);
        for (;;) {
          const input = toConverse(modelId, request, options.cachesPrompts ?? true, learned);
          try {
            return await send(signal, async (sdk, client, abortSignal) =>
              toGeneration(await client.send(new sdk.ConverseCommand(input), { abortSignal })),
            );
          } catch (error) {
            const field =
              error instanceof ModelError ? own(DISPENSABLE, error.requestField ?? '') : undefined;
            if (field === undefined || learned.has(field)) throw error;
            learned.add(field);
          }
        }
      },
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
 * Waits for a promise or for `signal`. Each wait has its own listener: a single promise for the whole stream would
 * retain every chunk that was raced against it.
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
 * Models that support cache points, by AWS's names (Claude from 3.5 Haiku and 3.7 Sonnet on, Nova); others reject the
 * request. A prefix shorter than about a thousand tokens is not cached.
 */
const KEEPS_PROMPTS =
  /anthropic\.claude-(3-5-haiku|3-7-sonnet|(opus|sonnet|haiku)-[4-9])|amazon\.nova-(micro|lite|pro|premier)/;

/** Optional parts of a request: the prompts also ask for JSON in words. */
type Dispensable = 'temperature' | 'outputConfig';
const DISPENSABLE: Readonly<Partial<Record<string, Dispensable>>> = {
  temperature: 'temperature',
  'text.format': 'outputConfig',
};

function toGeneration({ output, stopReason, usage }: ConverseCommandOutput): Generation {
  if (output?.message === undefined) throw new ModelError('garbage', 'Bedrock answered without a message');
  return {
    text: (output.message.content ?? []).map((block) => block.text ?? '').join(''),
    finishReason: toTextEnd(stopReason),
    usage: {
      // Cache reads and writes are counted separately.
      input_tokens:
        (usage?.inputTokens ?? 0) + (usage?.cacheReadInputTokens ?? 0) + (usage?.cacheWriteInputTokens ?? 0),
      output_tokens: usage?.outputTokens ?? 0,
    },
  };
}

function toConverse(
  modelId: string,
  request: GenerateRequest,
  caches: boolean,
  refused: ReadonlySet<Dispensable>,
): ConverseCommandInput {
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
    inferenceConfig: {
      maxTokens: request.maxOutputTokens,
      ...(refused.has('temperature') ? {} : { temperature: request.temperature }),
    },
    ...(request.jsonSchema === undefined || refused.has('outputConfig')
      ? {}
      : {
          outputConfig: {
            textFormat: {
              type: 'json_schema',
              structure: {
                jsonSchema: {
                  name: request.jsonSchema.name,
                  schema: JSON.stringify(toBedrockSchema(request.jsonSchema.schema)),
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

/**
 * Errors about a part of the request: its path in `POST /responses`, and a message that replaces Bedrock's, which may
 * quote the request.
 */
const REFUSALS: readonly (readonly [field: string, told: string, pattern: RegExp])[] = [
  [
    'text.format',
    ': it does not take the JSON schema',
    /output_?config|json_?schema|structured output|text_?format|grammar|schema is too complex/i,
  ],
  ['temperature', ': the model does not take a temperature', /\btemperature\b/i],
  ['top_p', ': the model does not take top_p', /\btop_?p\b/i],
  ['max_output_tokens', ': the model does not write that many tokens', /max(imum)?_?\s?tokens/i],
];

/**
 * How a refusal tells that the subscription to a model in the AWS Marketplace, which the account's first call begins, is
 * still being made. It takes up to 15 minutes and ends by itself, other than a subscription that "cannot be completed".
 * https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html (MPAgreementBeingCreated)
 */
const SUBSCRIBING =
  /marketplace subscription for this model is still being processed|marketplace agreement (is )?pending/i;

/** A request that met a connection that was closed, and was not read. */
const isBrokenConnection = (error: unknown): boolean =>
  !(error instanceof ModelError) &&
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === undefined;

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
  const isSubscribing = name === 'MPAgreementBeingCreated' || SUBSCRIBING.test(message ?? '');
  const kind = isSubscribing ? 'unavailable' : (own(KINDS, name ?? '') ?? kindOfStatus(status));
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
  if (kind === 'rejected') {
    const [requestField, told = ''] = REFUSALS.find(([, , pattern]) => pattern.test(message ?? '')) ?? [];
    return new ModelError(kind, `${said}${told}`, { requestField, cause: error });
  }
  const retryAfterSeconds = parseRetryAfter($response?.headers?.['retry-after'], Date.now());
  const why = isSubscribing ? ": the account's subscription to the model is still being made" : '';
  return new ModelError(kind, `${said}${why}`, { retryAfterSeconds, cause: error });
}

/** Errors without a status are connection errors. */
function kindOfStatus(status: number | undefined): ModelFailureKind {
  if (status === undefined || status >= 500) {
    return 'unavailable';
  }
  return status === 429 ? 'throttled' : status === 408 ? 'timeout' : 'rejected';
}

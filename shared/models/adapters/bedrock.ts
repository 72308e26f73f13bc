import type { InvokeModelCommandOutput } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import {
  type EmbeddingClient,
  type Generation,
  type ModelClient,
  ModelError,
  type OnLeftOut,
} from '../decide/port.ts';
import type { AnsweringModel, TurnRequest } from '../decide/turn.ts';
import type { AwsConnectionOptions } from './aws-connection.ts';
import { createBedrockConnection } from './bedrock-connection.ts';
import {
  KEEPS_PROMPTS,
  OPTIONAL_FIELDS,
  type OptionalField,
  partsWithoutField,
  toConverse,
  toGeneration,
  toOptionalField,
} from './bedrock-converse.ts';
import { answerByImport } from './bedrock-imported.ts';
import { readConverseStream, toConverseStream } from './bedrock-turn.ts';
import { findProfiledModel, isApplicationProfile } from './inference-profile.ts';
import { toUnitLength } from './unit-length.ts';
import { NOT_TAKEN } from './unknown-field.ts';

export interface BedrockOptions extends AwsConnectionOptions {
  /** Whether to set a cache point after the common part of the prompt, for models that support it. */
  readonly cachesPrompts?: boolean;
  readonly onLeftOut?: OnLeftOut | undefined;
}

export interface BedrockEndpoint {
  /** `modelId` may be an inference profile. */
  model(modelId: string): ModelClient;
  embeddings(modelId: string): EmbeddingClient;
  answering(modelId: string): AnsweringModel;
  /** A model that was imported, by its ARN; `baseModel` is what it was trained from. */
  imported(modelArn: string, baseModel: string): AnsweringModel;
  close(): void;
}

/** Amazon Bedrock. */
export function connectBedrock(options: BedrockOptions): BedrockEndpoint {
  const { send, stream, close } = createBedrockConnection(options);
  /** Request parts that a model does not support, learned once it has answered without them. */
  const refused = new Map<string, Set<OptionalField>>();

  const refusedBy = (modelId: string): Set<OptionalField> => {
    const known = refused.get(modelId) ?? new Set();
    refused.set(modelId, known);
    return known;
  };

  /** What models have refused to reserve for an answer. */
  const refusedLimits = new Map<string, RefusedLimit>();

  const told = new Set<string>();
  const tell = (modelId: string, part: OptionalPart): void => {
    const key = `${modelId} ${part}`;
    if (told.has(key)) return;
    told.add(key);
    options.onLeftOut?.(modelId, part);
  };

  const behind = new Map<string, string>();
  /** The id of a model, also of one that is named by the ARN of an application's inference profile. */
  async function idOf(modelId: string, signal: AbortSignal | undefined): Promise<string> {
    if (!isApplicationProfile(modelId)) return modelId;
    const known = behind.get(modelId) ?? (await findProfiledModel(modelId, options.region, signal)).modelId;
    behind.set(modelId, known);
    return known;
  }

  const caching = options.cachesPrompts ?? true;

  return {
    model: (modelId) => ({
      modelId,
      async generate(request, signal) {
        const keeps = caching && KEEPS_PROMPTS.test(await idOf(modelId, signal));
        for (const part of partsWithoutField(request, caching && !keeps)) tell(modelId, part);
        const ask = (left: ReadonlySet<OptionalField>) =>
          send(signal, async (sdk, client, abortSignal) => {
            const input = toConverse(modelId, request, keeps, left);
            return toGeneration(await client.send(new sdk.ConverseCommand(input), { abortSignal }));
          });
        return generateWithout(refusedBy(modelId), ask, (field) => tell(modelId, OPTIONAL_FIELDS[field]));
      },
    }),

    embeddings: (modelId) => ({
      modelId,
      async embed(texts, signal) {
        const id = await idOf(modelId, signal);
        return send(signal, async (sdk, client, abortSignal) => {
          const invoke = async (body: unknown): Promise<unknown> => {
            const command = new sdk.InvokeModelCommand({
              modelId,
              contentType: 'application/json',
              accept: 'application/json',
              body: JSON.stringify(body),
            });
            return readBody(await client.send(command, { abortSignal }));
          };
          return /cohere\./.test(id) ? embedByCohere(invoke, texts, id) : embedByTitan(invoke, texts);
        });
      },
    }),

    answering: (modelId) => ({
      modelId,
      forwards: () => false,
      async *answer(request, signal) {
        const keeps = caching && KEEPS_PROMPTS.test(await idOf(modelId, signal));
        const ask = (maxTokens: number | null) => {
          const input = toConverseStream(modelId, request, keeps, maxTokens);
          const events = stream(
            async (sdk, client, abortSignal) =>
              (await client.send(new sdk.ConverseStreamCommand(input), { abortSignal })).stream,
            signal,
          );
          return readConverseStream(events, request.parallelToolCalls !== false);
        };
        yield* answerWithin(request, ask, { of: modelId, refusedLimits });
      },
    }),

    imported: (modelArn, model) => answerByImport(stream, modelArn, model),

    close,
  };
}

/**
 * Asks again without each part that is refused.
 * @param known what the model does not have, which is learned here once it has answered without: a value that it refuses, such as a
 * schema, is this request's
 */
async function generateWithout(
  known: Set<OptionalField>,
  ask: (left: ReadonlySet<OptionalField>) => Promise<Generation>,
  tell: (field: OptionalField) => void,
): Promise<Generation> {
  const left = new Set(known);
  const unknown: OptionalField[] = [];
  for (;;) {
    try {
      const generation = await ask(left);
      for (const field of unknown) known.add(field);
      return generation;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const field = toOptionalField(error.requestField);
      if (field === null || left.has(field)) throw error;
      left.add(field);
      if (isOfModel(error)) unknown.push(field);
      tell(field);
    }
  }
}

/**
 * Whether a refusal tells that the model does not have a field: "`temperature` is deprecated for this model", "This model does not support
 * outputConfig.textFormat". One that names a place within a schema, or a value, is about this request.
 */
const isOfModel = ({ cause }: ModelError): boolean =>
  cause instanceof Error &&
  (NOT_TAKEN.test(cause.message) || /deprecated|cannot both/i.test(cause.message)) &&
  !/\bvalues?\b|\bschema\b/i.test(cause.message);

/** A number of tokens that a model has refused to write behind a prompt of this size, and so behind any larger one. */
interface RefusedLimit {
  readonly tokens: number;
  /** Characters of the prompt; 0 where the number is above the model's own maximum, whatever the prompt. */
  readonly promptSize: number;
}

/**
 * The answer to a request without a limit stops at what was reserved for it: left to itself, a model may write more. Where a model
 * does not take that many tokens it stops earlier by itself, and is asked again without a limit: providers word that refusal in too
 * many ways to know it from others, and one that is about something else comes again.
 * @param ask asks with a limit; with null for the model's own maximum
 * @param refusedLimits what models have refused, which is learned here
 */
async function* answerWithin<Part>(
  request: TurnRequest,
  ask: (maxTokens: number | null) => AsyncIterable<Part>,
  { of: modelId, refusedLimits }: { readonly of: string; readonly refusedLimits: Map<string, RefusedLimit> },
): AsyncGenerator<Part, void> {
  const { maxOutputTokens: asked, outputTokensReserved: reserved } = request;
  if (asked !== null || reserved === undefined) return yield* ask(asked);
  const refused = refusedLimits.get(modelId);
  if (refused !== undefined && reserved >= refused.tokens && promptSizeOf(request) >= refused.promptSize) {
    return yield* ask(null);
  }
  let hasBegun = false;
  let refusal: ModelError;
  try {
    for await (const part of ask(reserved)) {
      hasBegun = true;
      yield part;
    }
    return;
  } catch (error) {
    if (hasBegun || !(error instanceof ModelError) || !mayBeOfLimit(error)) throw error;
    refusal = error;
  }
  for await (const part of ask(null)) {
    if (!hasBegun) {
      hasBegun = true;
      const promptSize = isOfMaximum(refusal) ? 0 : promptSizeOf(request);
      refusedLimits.set(modelId, { tokens: reserved, promptSize });
    }
    yield part;
  }
}

/** Whether a refusal may be about the number of tokens: it names no other part of the request. */
const mayBeOfLimit = ({ kind, requestField }: ModelError): boolean =>
  kind === 'too_long' ||
  (kind === 'rejected' && (requestField ?? 'max_output_tokens') === 'max_output_tokens');

/** Whether a number of tokens is above a model's own maximum, and not too many beside the prompt: "input length and `max_tokens` exceed context limit". */
const isOfMaximum = ({ requestField, cause }: ModelError): boolean =>
  requestField === 'max_output_tokens' && !(cause instanceof Error && /context/i.test(cause.message));

const promptSizeOf = ({ instructions, items, tools }: TurnRequest): number =>
  JSON.stringify([instructions, items, tools]).length;

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
  modelId: string,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  // What discards the end of a text that is too long has another name from version 4 on.
  const truncate = /embed-(english|multilingual)-v3/.test(modelId) ? 'END' : 'RIGHT';
  for (let at = 0; at < texts.length; at += COHERE_TEXTS_MAX) {
    const batch = texts.slice(at, at + COHERE_TEXTS_MAX);
    const parsed = CohereEmbeddings.safeParse(
      await invoke({ texts: batch, input_type: 'clustering', truncate }),
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

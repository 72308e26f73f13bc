import * as z from 'zod';
import { ModelError } from '../decide/port.ts';
import {
  OWN_TOOLS,
  type TurnAnnotation,
  type TurnContent,
  type TurnFormat,
  type TurnItem,
  type TurnPart,
  type TurnRequest,
  type TurnUsage,
} from '../decide/turn.ts';
import { Problem, toStreamError } from './openai-connection.ts';
import { type Dialect, toMarks } from './openai-dialect.ts';
import { readLogprobs } from './read-logprobs.ts';

type Json = Record<string, unknown>;

/** A Responses API provider itself checks the types of its tools. */
export const isForwarded = (toolType: string): boolean => !OWN_TOOLS.includes(toolType);

/**
 * A conversation as the body of a streamed response that its provider does not store. Encrypted reasoning is always
 * included, because it must be sent back with the calls that followed.
 * @throws {ModelError} `rejected` for what responses do not have
 */
export function toResponseBody(modelId: string, request: TurnRequest, dialect: Dialect): Json {
  const { instructions, maxOutputTokens, temperature, topP, reasoning, cacheRetention } = request;
  for (const field of ['stop', 'seed'] as const) {
    if (request[field] === undefined) continue;
    const message = `the provider of ${modelId} does not support ${field}: omit it`;
    throw new ModelError('rejected', message, { requestField: field });
  }
  const include = [
    ...(dialect.refused.has('include') ? [] : ['reasoning.encrypted_content']),
    ...(request.logprobs === undefined ? [] : ['message.output_text.logprobs']),
    ...request.include,
  ];
  return {
    model: modelId,
    ...(instructions === null ? {} : { instructions }),
    input: request.items.map(toInput),
    stream: true,
    ...(dialect.refused.has('store') ? {} : { store: false }),
    ...(include.length === 0 ? {} : { include }),
    ...(maxOutputTokens === null ? {} : { max_output_tokens: maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(request.logprobs === undefined ? {} : { top_logprobs: request.logprobs }),
    ...(reasoning === null ? {} : { reasoning: toReasoning(reasoning) }),
    ...(request.format.type === 'text' ? {} : { text: { format: toFormat(request.format) } }),
    ...(cacheRetention === null ? {} : { prompt_cache_retention: cacheRetention }),
    ...toMarks(request.marks, dialect),
    ...toTools(request),
  };
}

const toReasoning = ({ effort, summary }: NonNullable<TurnRequest['reasoning']>): Json => ({
  ...(effort === null ? {} : { effort }),
  ...(summary === null ? {} : { summary }),
});

function toFormat(format: TurnFormat): Json {
  if (format.type !== 'json_schema') return { type: format.type };
  const { type, name, description, schema, strict } = format;
  return {
    type,
    name,
    ...(description === null ? {} : { description }),
    schema,
    ...(strict === null ? {} : { strict }),
  };
}

function toTools(request: TurnRequest): Json {
  const { tools, providerTools, providerCallsMax, toolChoice, parallelToolCalls } = request;
  if (tools.length + providerTools.length === 0) return {};
  return {
    tools: [
      ...tools.map(({ name, description, parameters, strict }) => ({
        type: 'function',
        name,
        ...(description === null ? {} : { description }),
        parameters,
        // If omitted, it defaults to true, and the provider changes the schema.
        strict: strict ?? false,
      })),
      ...providerTools,
    ],
    ...(toolChoice === 'auto'
      ? {}
      : {
          tool_choice:
            typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.name },
        }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
    ...(providerCallsMax === null || providerCallsMax === 0 ? {} : { max_tool_calls: providerCallsMax }),
  };
}

function toInput(item: TurnItem): Json {
  switch (item.type) {
    case 'message':
      return item.role === 'assistant'
        ? {
            role: 'assistant',
            content: item.content.flatMap(toSaid),
            ...(item.phase === undefined ? {} : { phase: item.phase }),
          }
        : { role: item.role, content: item.content.map(toInputContent) };
    case 'reasoning':
      return item.encrypted === null
        ? { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: item.text }] }
        : {
            type: 'reasoning',
            summary: item.text === '' ? [] : [{ type: 'summary_text', text: item.text }],
            encrypted_content: item.encrypted,
          };
    case 'tool_call':
      return {
        type: 'function_call',
        call_id: item.callId,
        name: item.name,
        arguments: item.arguments,
      };
    case 'tool_result':
      return { type: 'function_call_output', call_id: item.callId, output: item.output };
    case 'provider_item':
      return item.item;
  }
}

function toSaid(content: TurnContent): Json[] {
  if (content.type !== 'text') return [];
  const { text, annotations } = content;
  return [{ type: 'output_text', text, ...(annotations === undefined ? {} : { annotations }) }];
}

function toInputContent(content: TurnContent): Json {
  return content.type === 'text'
    ? { type: 'input_text', text: content.text }
    : { type: 'input_image', image_url: content.url, ...(content.detail && { detail: content.detail }) };
}

const Annotations = z
  .array(z.looseObject({ type: z.string() }))
  .nullish()
  .catch(null);

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  annotations: Annotations,
  logprobs: z.unknown().optional(),
});
const Texts = z.array(Part);

const Item = z.looseObject({
  type: z.string(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  encrypted_content: z.string().nullish(),
  phase: z.string().nullish().catch(null),
  summary: Texts.optional().catch(undefined),
  content: Texts.optional().catch(undefined),
});
type Item = z.infer<typeof Item>;

const Usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_tokens_details: z
    .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
    .nullish(),
  output_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish(),
});

const Response = z.object({
  status: z.string().nullish(),
  output: z.array(Item).default([]),
  usage: z.unknown().optional(),
  error: Problem.nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
});
type Response = z.infer<typeof Response>;

const Event = z.object({
  type: z.string(),
  output_index: z.int().optional(),
  content_index: z.int().optional(),
  summary_index: z.int().optional(),
  annotation: z.looseObject({ type: z.string() }).optional().catch(undefined),
  part: Part.optional().catch(undefined),
  delta: z.unknown().optional(),
  logprobs: z.unknown().optional(),
  item: Item.optional(),
  response: z.unknown().optional(),
});

/** An `error` event has its error at the top level, or in `error` as in other responses. */
const ErrorEvent = z.object({ type: z.literal('error'), error: Problem.optional() }).and(Problem);

/**
 * The parts of a response's events.
 * @throws {ModelError} the stream's own error, or `garbage` if it is malformed or has no final event
 */
export async function* readResponseTurn(events: AsyncIterable<unknown>): AsyncGenerator<TurnPart, void> {
  const reader = new ResponseReader();
  for await (const value of events) {
    const problem = ErrorEvent.safeParse(value).data;
    if (problem !== undefined) throw toStreamError(problem.error ?? problem);
    if (isWholeResponse(value)) {
      yield* reader.end(toResponse(value));
      return;
    }
    const event = Event.safeParse(value).data;
    if (event === undefined) {
      throw new ModelError('garbage', 'An event of the model endpoint is not one of a response');
    }
    if (endsResponse(event)) {
      yield* reader.end(toResponse(event.response));
      return;
    }
    yield* reader.take(event);
  }
  throw new ModelError('garbage', 'The model endpoint ended its answer before it was complete');
}

const Ending = z.object({
  type: z.enum(['response.completed', 'response.incomplete', 'response.failed']),
});

/** Whether an event is the last of a response. */
export const endsResponse = (event: unknown): boolean => Ending.safeParse(event).success;

/** A response of an endpoint that does not stream. */
const isWholeResponse = (value: unknown): boolean =>
  z.object({ object: z.literal('response') }).safeParse(value).success;

function toResponse(value: unknown): Response {
  const parsed = Response.safeParse(value);
  if (!parsed.success) throw new ModelError('garbage', "The model endpoint's answer is not a response");
  return parsed.data;
}

interface Message {
  readonly phase: string | null;
  /** The current part; null before the first. */
  part: number | null;
  /** Number of annotations of the part so far. */
  annotations: number;
}

/** Reads items by their deltas, and items without deltas as a whole. */
class ResponseReader {
  /** Number of each call, by output index. */
  readonly #calls = new Map<number, number>();
  /** Messages by output index. */
  readonly #messages = new Map<number, Message>();
  /** Output indexes of items with deltas. */
  readonly #begun = new Set<number>();
  readonly #done = new Set<number>();

  *take(event: z.infer<typeof Event>): Generator<TurnPart, void> {
    const { type, output_index: at = 0, content_index: part = 0, item } = event;
    const delta = typeof event.delta === 'string' ? event.delta : '';
    switch (type) {
      case 'response.output_item.added':
        if (item?.type === 'function_call') yield this.#beginCall(at, item);
        if (item?.type === 'message') this.#beginMessage(at, item.phase);
        return;
      case 'response.output_item.done':
        if (item !== undefined) yield* this.#finish(at, item);
        return;
      case 'response.output_text.delta':
        yield* this.#say(at, part, { type: 'text', delta, ...likelihoods(event.logprobs) });
        return;
      case 'response.refusal.delta':
        yield* this.#say(at, part, { type: 'refusal', delta });
        return;
      case 'response.output_text.annotation.added':
        if (event.annotation !== undefined) yield* this.#annotate(at, part, [event.annotation]);
        return;
      case 'response.content_part.done':
        yield* this.#annotateAll(at, part, event.part?.annotations);
        return;
      case 'response.reasoning_summary_text.delta':
        yield* this.#piece(at, { type: 'reasoning_summary', part: event.summary_index ?? 0, delta });
        return;
      case 'response.reasoning_text.delta':
        yield* this.#piece(at, { type: 'reasoning', delta });
        return;
      case 'response.function_call_arguments.delta': {
        const index = this.#calls.get(at);
        if (index === undefined) throw new ModelError('garbage', 'Arguments came before their call');
        yield* this.#piece(at, { type: 'tool_arguments', index, delta });
        return;
      }
    }
  }

  *end(response: Response): Generator<TurnPart, void> {
    if (response.error) throw toStreamError(response.error);
    if (response.status === 'failed' || response.status === 'cancelled') throw toStreamError({});
    for (const [at, item] of response.output.entries()) {
      if (!this.#done.has(at)) yield* this.#finish(at, item);
    }
    yield { type: 'end', reason: this.#reasonOf(response), usage: toUsage(response.usage) };
  }

  #reasonOf({
    status,
    incomplete_details: details,
  }: Response): 'stop' | 'length' | 'filtered' | 'tool_calls' {
    if (status === 'incomplete') return details?.reason === 'content_filter' ? 'filtered' : 'length';
    return this.#calls.size > 0 ? 'tool_calls' : 'stop';
  }

  *#piece(at: number, part: Extract<TurnPart, { delta: string }>): Generator<TurnPart, void> {
    if (part.delta === '') return;
    this.#begun.add(at);
    yield part;
  }

  #beginMessage(at: number, phase: string | null | undefined): Message {
    const message = this.#messages.get(at) ?? { phase: phase ?? null, part: null, annotations: 0 };
    this.#messages.set(at, message);
    return message;
  }

  *#say(at: number, part: number, piece: Extract<TurnPart, { delta: string }>): Generator<TurnPart, void> {
    if (piece.delta === '') return;
    const message = this.#beginMessage(at, null);
    if (message.part !== part) {
      yield message.part === null ? { type: 'message', phase: message.phase } : { type: 'content' };
      message.part = part;
      message.annotations = 0;
    }
    yield* this.#piece(at, piece);
  }

  *#annotate(at: number, part: number, annotations: readonly TurnAnnotation[]): Generator<TurnPart, void> {
    const message = this.#messages.get(at);
    // Ignore late events of another part.
    if (message === undefined || message.part !== part) return;
    message.annotations += annotations.length;
    for (const annotation of annotations) yield { type: 'annotation', annotation };
  }

  /** Some providers send annotations with the complete part only. */
  *#annotateAll(
    at: number,
    part: number,
    annotations: readonly TurnAnnotation[] | null | undefined,
  ): Generator<TurnPart, void> {
    yield* this.#annotate(at, part, (annotations ?? []).slice(this.#messages.get(at)?.annotations));
  }

  #beginCall(at: number, { call_id: callId, name }: Item): TurnPart {
    if (!callId || !name) {
      throw new ModelError('garbage', 'The model endpoint called a tool without naming it');
    }
    const index = this.#calls.size;
    this.#calls.set(at, index);
    return { type: 'tool_call', index, callId, name };
  }

  *#finish(at: number, item: Item): Generator<TurnPart, void> {
    this.#done.add(at);
    const isNew = !this.#begun.has(at);
    switch (item.type) {
      case 'message':
        this.#beginMessage(at, item.phase);
        for (const [part, each] of (item.content ?? []).entries()) {
          if (isNew) {
            const isRefusal = each.type === 'refusal';
            const delta = isRefusal ? String(each.refusal ?? '') : (each.text ?? '');
            yield* this.#say(
              at,
              part,
              isRefusal ? { type: 'refusal', delta } : { type: 'text', delta, ...likelihoods(each.logprobs) },
            );
          }
          yield* this.#annotateAll(at, part, each.annotations);
        }
        return;
      case 'reasoning':
        if (isNew) {
          for (const [part, { text = '' }] of (item.summary ?? []).entries()) {
            yield* this.#piece(at, { type: 'reasoning_summary', part, delta: text });
          }
          for (const { text = '' } of item.content ?? []) {
            yield* this.#piece(at, { type: 'reasoning', delta: text });
          }
        }
        if (item.encrypted_content) yield { type: 'reasoning_state', encrypted: item.encrypted_content };
        return;
      case 'function_call': {
        if (!this.#calls.has(at)) yield this.#beginCall(at, item);
        const index = this.#calls.get(at) as number;
        if (isNew) yield* this.#piece(at, { type: 'tool_arguments', index, delta: item.arguments || '{}' });
        return;
      }
      default:
        yield { type: 'provider_item', item };
    }
  }
}

function likelihoods(value: unknown): Pick<Extract<TurnPart, { type: 'text' }>, 'logprobs'> {
  const logprobs = readLogprobs(value);
  return logprobs.length === 0 ? {} : { logprobs };
}

function toUsage(value: unknown): TurnUsage | null {
  const usage = Usage.safeParse(value).data;
  if (usage === undefined) return null;
  return {
    inputTokens: usage.input_tokens,
    cachedTokens: usage.input_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: usage.input_tokens_details?.cache_write_tokens ?? 0,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}

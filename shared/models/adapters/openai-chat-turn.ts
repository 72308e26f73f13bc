import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ModelError } from '../decide/port.ts';
import type {
  TokenLogprob,
  TurnContent,
  TurnItem,
  TurnPart,
  TurnRequest,
  TurnUsage,
} from '../decide/turn.ts';
import { Problem, toStreamError } from './openai-connection.ts';
import { type Dialect, toMarks } from './openai-dialect.ts';
import { readLogprobs } from './read-logprobs.ts';
import { requireSummary } from './reasoning-summary.ts';
import { putResultsFirst } from './results-first.ts';

type Json = Record<string, unknown>;

/**
 * A conversation as the body of a streamed chat completion.
 * @throws {ModelError} `rejected` if chat completions do not support a part of the request
 */
export function toChatTurnBody(modelId: string, request: TurnRequest, dialect: Dialect): Json {
  const { maxOutputTokens, temperature, topP, reasoning, cacheRetention, stop, seed, logprobs } = request;
  requireSummary(modelId, reasoning);
  return {
    model: modelId,
    messages: toMessages(request, !dialect.refused.has('reasoning_content')),
    stream: true,
    ...(dialect.refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(maxOutputTokens === null ? {} : { [dialect.tokensField]: maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(stop === undefined ? {} : { stop }),
    ...(seed === undefined ? {} : { seed }),
    ...(logprobs === undefined
      ? {}
      : { logprobs: true, ...(logprobs === 0 ? {} : { top_logprobs: logprobs }) }),
    ...(reasoning === null || reasoning.effort === null ? {} : { reasoning_effort: reasoning.effort }),
    ...(cacheRetention === null ? {} : { prompt_cache_retention: cacheRetention }),
    ...toMarks(request.marks, dialect),
    ...toResponseFormat(request.format),
    ...toTools(request),
  };
}

function toResponseFormat(format: TurnRequest['format']): Json {
  switch (format.type) {
    case 'text':
      return {};
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'json_schema': {
      const { name, description, schema, strict } = format;
      return {
        response_format: {
          type: 'json_schema',
          json_schema: {
            name,
            ...(description === null ? {} : { description }),
            schema,
            ...(strict === null ? {} : { strict }),
          },
        },
      };
    }
  }
}

/** Without tools, providers reject tool settings. */
function toTools({ tools, toolChoice, parallelToolCalls }: TurnRequest): Json {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description === null ? {} : { description }),
        parameters,
        ...(strict === null ? {} : { strict }),
      },
    })),
    ...(toolChoice === 'auto'
      ? {}
      : {
          tool_choice:
            typeof toolChoice === 'string'
              ? toolChoice
              : { type: 'function', function: { name: toolChoice.name } },
        }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

interface AssistantMessage {
  readonly role: 'assistant';
  content: string | null;
  reasoning_content?: string;
  tool_calls?: Json[];
}

/**
 * The messages of a conversation. Instructions and leading system messages become one message, because many chat
 * templates support only one; text, calls and reasoning of one assistant step become one message too. Reasoning is sent
 * back while the model works on the same request, as providers with reasoning between calls require; items of other
 * providers' tools are not supported. Nothing may be between calls and their results.
 */
function toMessages({ instructions, items: given }: TurnRequest, withReasoning: boolean): readonly object[] {
  const items = putResultsFirst(given);
  const beginning = items.findIndex((item) => !isSystem(item));
  const leading = items.slice(0, beginning === -1 ? items.length : beginning);
  const system = [
    ...(instructions === null ? [] : [instructions]),
    ...leading.flatMap((item) => (item.type === 'message' ? [textOf(item.content)] : [])),
  ];
  const messages: (AssistantMessage | { readonly role: 'system' | 'user' | 'tool' })[] =
    system.length === 0 ? [] : [toPlain('system', system.join('\n\n'))];
  const lastQuestion = items.findLastIndex((item) => item.type === 'message' && item.role === 'user');
  let thought = '';

  function assistant(): AssistantMessage {
    const last = messages.at(-1);
    if (last?.role === 'assistant' && 'content' in last) return last;
    const message: AssistantMessage = { role: 'assistant', content: null };
    messages.push(message);
    return message;
  }

  for (const [at, item] of items.entries()) {
    if (at < leading.length) continue;
    switch (item.type) {
      case 'message':
        if (item.role === 'assistant') {
          const message = assistant();
          const text = textOf(item.content);
          message.content = message.content === null ? text : `${message.content}\n${text}`;
        } else {
          messages.push(isSystem(item) ? toPlain('system', textOf(item.content)) : toQuestion(item.content));
        }
        break;
      case 'reasoning':
        if (withReasoning && at > lastQuestion) thought += item.text;
        break;
      case 'tool_call': {
        const message = assistant();
        message.tool_calls ??= [];
        message.tool_calls.push({
          id: item.callId,
          type: 'function',
          function: { name: item.name, arguments: item.arguments },
        });
        if (thought !== '') message.reasoning_content = thought;
        thought = '';
        break;
      }
      case 'tool_result':
        messages.push({ ...toPlain('tool', item.output), tool_call_id: item.callId } as { role: 'tool' });
        break;
      case 'provider_item':
        break;
    }
  }
  return messages;
}

const isSystem = (item: TurnItem): boolean =>
  item.type === 'message' && (item.role === 'system' || item.role === 'developer');

const textOf = (content: readonly TurnContent[]): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const toPlain = <R extends 'system' | 'user' | 'tool'>(role: R, content: string) => ({ role, content });

function toQuestion(content: readonly TurnContent[]): { role: 'user'; content: unknown } {
  if (content.every(({ type }) => type === 'text')) return toPlain('user', textOf(content));
  return {
    role: 'user',
    content: content.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'image_url', image_url: { url: part.url, ...(part.detail && { detail: part.detail }) } },
    ),
  };
}

/** Mistral returns reasoning and text as parts of the content. */
const ContentPart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('thinking'),
    thinking: z.array(z.object({ text: z.string().default('') })),
  }),
  z.object({ type: z.string() }),
]);

const CallDelta = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
type CallDelta = z.infer<typeof CallDelta>;

const Delta = z.object({
  content: z.union([z.string(), z.array(ContentPart)]).nullish(),
  refusal: z.string().nullish(),
  // vLLM, DeepSeek and Qwen use the first name, OpenRouter, Groq and Ollama the second; some send both.
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(CallDelta).nullish(),
  annotations: z
    .array(z.object({ type: z.literal('url_citation'), url_citation: z.looseObject({ url: z.string() }) }))
    .nullish()
    .catch(null),
});
type Delta = z.infer<typeof Delta>;

const Usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z
    .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
    .nullish(),
  prompt_cache_hit_tokens: z.number().nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish(),
});

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.int().nullish(),
        delta: Delta.nullish(),
        /** For a provider that does not stream. */
        message: Delta.nullish(),
        finish_reason: z.string().nullish(),
        logprobs: z.object({ content: z.unknown() }).nullish().catch(null),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
  error: z.union([Problem, z.string().transform((message) => ({ message }))]).nullish(),
});

/** vLLM's errors were top-level objects. */
const BareError = z.object({ object: z.literal('error') }).and(Problem);

interface Call {
  readonly index: number;
  /** The provider's number, if it has one. */
  readonly number: number | null;
  readonly id: string | null;
  hasBegun: boolean;
  hasArguments: boolean;
  /** Arguments that came before the name. */
  waiting: string;
}

/** Tokens without a text of their own whose probabilities wait for the next text, which is counted with them: those of one character are few. */
const TEXTLESS_TOKENS_MAX = 64;

/**
 * The parts of a streamed chat completion.
 * @throws {ModelError} the stream's own error, or `garbage` if it is malformed or has no finish reason
 */
export async function* readChatTurn(chunks: AsyncIterable<unknown>): AsyncGenerator<TurnPart, void> {
  const calls: Call[] = [];
  let finish: string | undefined;
  let usage: TurnUsage | null = null;
  // Of tokens that have no text of their own, such as the first bytes of a character: they come with the text after them.
  let likely: TokenLogprob[] = [];
  try {
    for await (const chunk of chunks) {
      const bare = BareError.safeParse(chunk);
      const parsed = Chunk.safeParse(chunk);
      const problem = bare.data ?? parsed.data?.error;
      if (problem) throw toStreamError(problem);
      if (parsed.data === undefined) {
        throw new ModelError('garbage', 'An event of the model endpoint is not a piece of a chat completion');
      }
      usage = toUsage(parsed.data.usage) ?? usage;
      const choice = parsed.data.choices?.find(({ index }) => (index ?? 0) === 0);
      if (choice === undefined) continue;
      if (choice.finish_reason === 'error') throw toStreamError({});
      const delta = choice.delta ?? choice.message;
      if (delta) {
        likely = likely.concat(readLogprobs(choice.logprobs?.content));
        for (const part of readTexts(delta)) {
          yield part.type === 'text' && likely.length > 0 ? { ...part, logprobs: likely } : part;
          // Those of reasoning are of no text.
          likely = [];
        }
        likely = likely.slice(-TEXTLESS_TOKENS_MAX);
        for (const each of delta.tool_calls ?? []) yield* readCall(calls, each);
      }
      finish = choice.finish_reason ?? finish;
    }
  } catch (error) {
    // After the finish reason the answer is complete; only the usage may be missing.
    if (finish === undefined || !(error instanceof ModelError)) throw error;
  }
  if (finish === undefined) {
    throw new ModelError('garbage', 'The model endpoint ended its answer before it was complete');
  }
  const reason = toReason(finish, calls.length > 0);
  if (calls.some(({ hasBegun }) => !hasBegun)) {
    throw new ModelError('garbage', 'The model endpoint called a tool without naming it');
  }
  if (reason === 'tool_calls') {
    for (const { index, hasArguments } of calls) {
      if (!hasArguments) yield { type: 'tool_arguments', index, delta: '{}' };
    }
  }
  yield { type: 'end', reason, usage };
}

function* readTexts(delta: Delta): Generator<TurnPart, void> {
  const reasoning = delta.reasoning_content || delta.reasoning;
  if (reasoning) yield { type: 'reasoning', delta: reasoning };
  if (typeof delta.content === 'string') {
    if (delta.content !== '') yield { type: 'text', delta: delta.content };
  } else {
    for (const part of delta.content ?? []) {
      if ('text' in part && part.text !== '') yield { type: 'text', delta: part.text };
      if ('thinking' in part) {
        const thought = part.thinking.map(({ text }) => text).join('');
        if (thought !== '') yield { type: 'reasoning', delta: thought };
      }
    }
  }
  if (delta.refusal) yield { type: 'refusal', delta: delta.refusal };
  for (const { type, url_citation: citation } of delta.annotations ?? []) {
    yield { type: 'annotation', annotation: { ...citation, type } };
  }
}

function* readCall(calls: Call[], delta: CallDelta): Generator<TurnPart, void> {
  const { name, arguments: given } = delta.function ?? {};
  let call = findCall(calls, delta);
  if (call === undefined) {
    call = {
      index: calls.length,
      number: delta.index ?? null,
      id: delta.id || null,
      hasBegun: false,
      hasArguments: false,
      waiting: '',
    };
    calls.push(call);
  }
  call.waiting += typeof given === 'string' ? given : given ? JSON.stringify(given) : '';
  if (!call.hasBegun && name) {
    call.hasBegun = true;
    yield {
      type: 'tool_call',
      index: call.index,
      callId: call.id ?? `call_${randomUUID().replaceAll('-', '')}`,
      name,
    };
  }
  if (call.hasBegun && call.waiting !== '') {
    const { waiting } = call;
    call.waiting = '';
    call.hasArguments = true;
    yield { type: 'tool_arguments', index: call.index, delta: waiting };
  }
}

/**
 * The tool call that a chunk continues. OpenAI numbers calls, and sends id and name with the first chunk of a call.
 * Other servers omit the number or repeat it for every call, and repeat or omit the id.
 */
function findCall(calls: readonly Call[], { index, id, function: called }: CallDelta): Call | undefined {
  if (id) {
    const known = calls.findLast((call) => call.id === id);
    if (known !== undefined) return known;
    if (called?.name) return undefined;
  }
  if (index !== null && index !== undefined) return calls.findLast((call) => call.number === index);
  return called?.name ? undefined : calls.at(-1);
}

function toReason(finish: string, hasCalls: boolean): 'stop' | 'length' | 'filtered' | 'tool_calls' {
  switch (finish) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return 'length';
    case 'content_filter':
      return 'filtered';
    default:
      // Some send `stop` after calls, or other values.
      return hasCalls ? 'tool_calls' : 'stop';
  }
}

function toUsage(value: unknown): TurnUsage | null {
  const usage = Usage.safeParse(value).data;
  if (usage === undefined) return null;
  return {
    inputTokens: usage.prompt_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
    cacheWriteTokens: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    outputTokens: usage.completion_tokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}

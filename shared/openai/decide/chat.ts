import type { Sampling } from '#shared/models/decide/turn.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { toHttpProblem } from '#shared/platform/errors/to-http.ts';
import { ADVICE_TO_TRUNCATE } from '#shared/responses/decide/answer.ts';
import { foldEvents } from '#shared/responses/decide/fold-events.ts';
import type { ModelResponse, ResponseEvent } from '#shared/responses/schema/response.ts';
import type {
  ContentPart,
  CreateResponseRequest,
  InputItem,
} from '#shared/responses/schema/response-request.ts';
import type {
  ChatChunk,
  ChatCompletion,
  ChatLogprobs,
  ChatMessage,
  CompletionUsage,
  CreateChatCompletionRequest,
  FinishReason,
} from '../schema/chat.ts';
import { translateError, translateMessage, type Wording } from './translate-error.ts';

/**
 * A chat completion's request as that of a response, with what responses do not have.
 * @throws {ServiceError} `invalid_request` for limits that differ, and calls without a result or results without a call
 */
export function toResponseRequest(request: CreateChatCompletionRequest): {
  readonly request: CreateResponseRequest;
  readonly sampling: Sampling;
} {
  const { max_completion_tokens: most, max_tokens: older, stop, seed, tool_choice: choice } = request;
  if (most != null && older != null && most !== older) {
    throw invalidField('max_tokens', 'differs from max_completion_tokens; omit it');
  }
  if (request.top_logprobs != null && request.top_logprobs > 0 && request.logprobs !== true) {
    throw invalidField('top_logprobs', 'needs logprobs: send true');
  }
  requirePairs(request.messages);
  return {
    sampling: {
      ...(stop == null || stop.length === 0 ? {} : { stop: [stop].flat() }),
      ...(seed == null ? {} : { seed }),
    },
    request: {
      model: request.model,
      input: request.messages.flatMap(toItems),
      stream: request.stream,
      max_output_tokens: most ?? older,
      temperature: request.temperature,
      top_p: request.top_p,
      tools: request.tools?.map(({ function: called }) => ({ type: 'function', ...called })),
      tool_choice:
        typeof choice === 'object' && choice !== null
          ? { type: 'function', name: choice.function.name }
          : choice,
      parallel_tool_calls: request.parallel_tool_calls,
      ...(request.logprobs === true
        ? { include: ['message.output_text.logprobs'], top_logprobs: request.top_logprobs }
        : {}),
      ...toFormat(request.response_format),
      ...(request.reasoning_effort == null ? {} : { reasoning: { effort: request.reasoning_effort } }),
      user: request.user,
      safety_identifier: request.safety_identifier,
      prompt_cache_key: request.prompt_cache_key,
      prompt_cache_retention: request.prompt_cache_retention,
    },
  };
}

const toFormat = (
  format: CreateChatCompletionRequest['response_format'],
): Pick<CreateResponseRequest, 'text'> => {
  if (format == null) return {};
  return {
    text: { format: format.type === 'json_schema' ? { type: format.type, ...format.json_schema } : format },
  };
};

function requirePairs(messages: readonly ChatMessage[]): void {
  const called = new Map<string, string>();
  for (const [n, message] of messages.entries()) {
    if (message.role === 'assistant') {
      for (const [k, { id }] of (message.tool_calls ?? []).entries()) {
        called.set(id, `messages[${n}].tool_calls[${k}]`);
      }
    }
    if (message.role === 'tool' && !called.has(message.tool_call_id)) {
      throw invalidField(`messages[${n}].tool_call_id`, 'is the id of no call before it; send the call too');
    }
  }
  const answered = new Set(
    messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])),
  );
  for (const [id, path] of called) {
    if (!answered.has(id)) throw invalidField(path, 'has no tool message with its result; send it');
  }
}

function toItems(message: ChatMessage): InputItem[] {
  const { role } = message;
  if (role === 'tool') {
    const output = partsOf(message.content, 'input_text');
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output }];
  }
  if (role !== 'assistant') {
    return [{ type: 'message', role, content: partsOf(message.content, 'input_text') }];
  }
  const parts = message.content == null ? [] : partsOf(message.content, 'output_text');
  const said: ContentPart[] = [
    ...(typeof parts === 'string' ? [{ type: 'output_text' as const, text: parts }] : parts),
    ...(message.refusal == null ? [] : [{ type: 'refusal' as const, refusal: message.refusal }]),
  ];
  return [
    ...(said.length === 0 ? [] : [{ type: 'message' as const, role, content: said }]),
    ...(message.tool_calls ?? []).map(({ id, function: called }) => ({
      type: 'function_call' as const,
      call_id: id,
      ...called,
    })),
  ];
}

type Content = Exclude<ChatMessage['content'], null | undefined>;

function partsOf(content: Content, type: 'input_text' | 'output_text'): string | ContentPart[] {
  if (typeof content === 'string') return content;
  return content.map((part): ContentPart => {
    if (part.type === 'text') return { type, text: part.text };
    if (part.type === 'refusal') return part;
    return { type: 'input_image', image_url: part.image_url.url, detail: part.image_url.detail };
  });
}

/** Paths of a response's request that a chat completion has by another name. */
const PATHS: readonly [RegExp, string][] = [
  [/^input\b.*/, 'messages'],
  [/^text\.format\b.*/, 'response_format'],
  [/^reasoning\b.*/, 'reasoning_effort'],
  [/^include\b.*/, 'logprobs'],
  [/^(tools\[\d+\])\.name$/, '$1.function.name'],
  [/^max_output_tokens$/, 'max_completion_tokens'],
];

const IN_WORDS_OF_CHAT: Wording = {
  renamed(path) {
    const [from, to] = PATHS.find(([pattern]) => pattern.test(path)) ?? [/$/, ''];
    return path.replace(from, to);
  },
  words: [
    [ADVICE_TO_TRUNCATE, ''],
    [', top_logprobs or max_tool_calls', ' or top_logprobs'],
    ['max_output_tokens', 'max_completion_tokens'],
  ],
};

/** Events whose failure names the fields of a chat completion. @throws {ServiceError} */
export async function* inWordsOfChat<Event>(
  events: AsyncGenerator<Event, void>,
): AsyncGenerator<Event, void> {
  try {
    yield* events;
  } catch (error) {
    throw errorOfChat(error);
  }
}

/** An error of a response in the words of a chat completion. */
export const errorOfChat = (error: unknown): unknown => translateError(IN_WORDS_OF_CHAT, error);

const idOf = ({ id }: ModelResponse): string => id.replace('resp_', 'chatcmpl-');

const callsIn = ({ output }: ModelResponse) => output.flatMap((item) => (isCall(item) ? [item] : []));

type Item = ModelResponse['output'][number];
type Call = Extract<Item, { type: 'function_call' }>;
const isCall = (item: Item): item is Call => item.type === 'function_call';

function finishOf(response: ModelResponse): FinishReason {
  const reason = response.incomplete_details?.reason;
  if (reason !== undefined) return reason === 'max_output_tokens' ? 'length' : reason;
  return callsIn(response).length > 0 ? 'tool_calls' : 'stop';
}

function usageOf({ usage }: ModelResponse): CompletionUsage | null {
  if (usage === null) return null;
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.total_tokens,
    prompt_tokens_details: { cached_tokens: usage.input_tokens_details.cached_tokens },
    completion_tokens_details: { reasoning_tokens: usage.output_tokens_details.reasoning_tokens },
  };
}

/** What a failed response is where a failure has a status. */
function failureOf({ error }: ModelResponse): ServiceError {
  const message = translateMessage(
    IN_WORDS_OF_CHAT,
    error?.message ?? 'The model did not answer. Try again.',
  );
  switch (error?.code) {
    case 'rate_limit_exceeded':
      return new ServiceError('model_busy', message, { retryAfterSeconds: 5 });
    case 'server_error':
      return new ServiceError('service_unavailable', message, { retryAfterSeconds: 10 });
    default:
      return new ServiceError('model_refused', message);
  }
}

type Messages = Extract<Item, { role: 'assistant' }>;
const isMessage = (item: Item): item is Messages => item.type === 'message';

/** Folds the events of a response into a chat completion. @throws {ServiceError} for one that failed */
export async function foldChat(events: AsyncIterable<{ readonly type?: string }>): Promise<ChatCompletion> {
  const response = await foldEvents(events);
  if (response.status === 'failed') throw failureOf(response);
  const parts = response.output.flatMap((item) => (isMessage(item) ? item.content : []));
  const texts = parts.flatMap((part) => (part.type === 'output_text' ? [part] : []));
  const refusals = parts.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  const calls = callsIn(response);
  return {
    id: idOf(response),
    object: 'chat.completion',
    created: response.created_at,
    model: response.model,
    choices: [
      {
        index: 0,
        finish_reason: finishOf(response),
        logprobs: toChatLogprobs(texts.flatMap(({ logprobs }) => logprobs)),
        message: {
          role: 'assistant',
          content: texts.length === 0 ? null : texts.map(({ text }) => text).join(''),
          refusal: refusals.length === 0 ? null : refusals.join(''),
          annotations: texts.flatMap(({ annotations }) => annotations).flatMap(toAnnotation),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(toCall) }),
        },
      },
    ],
    usage: usageOf(response),
    service_tier: 'default',
    system_fingerprint: null,
  };
}

const toChatLogprobs = (content: ChatLogprobs['content']): ChatLogprobs | null =>
  content.length === 0 ? null : { content, refusal: null };

type Annotations = ChatCompletion['choices'][number]['message']['annotations'];

function toAnnotation({ type, ...place }: { readonly type: string; readonly url?: unknown }): Annotations {
  const { url } = place;
  return type === 'url_citation' && typeof url === 'string'
    ? [{ type, url_citation: { ...place, url } }]
    : [];
}

const toCall = ({ call_id: id, name, arguments: args }: Call) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});

/**
 * The events of a response as chunks of a chat completion. A failure before the first chunk is thrown unless the answer has
 * begun with a keep-alive; a later one is the last chunk.
 * @param options.isCommitted whether the answer has begun
 * @throws {ServiceError}
 */
export async function* toChunks(
  events: AsyncIterable<ResponseEvent>,
  { includesUsage, isCommitted }: { readonly includesUsage: boolean; readonly isCommitted: () => boolean },
): AsyncGenerator<ChatChunk, void> {
  let begun: ModelResponse | null = null;
  const calls = new Map<number, number>();
  const chunk = (
    response: ModelResponse,
    delta: Delta | null,
    finish: FinishReason | null,
    {
      usage = null,
      logprobs = null,
    }: { usage?: CompletionUsage | null; logprobs?: ChatLogprobs | null } = {},
  ): ChatChunk => ({
    id: idOf(response),
    object: 'chat.completion.chunk',
    created: response.created_at,
    model: response.model,
    service_tier: 'default',
    system_fingerprint: null,
    choices: delta === null ? [] : [{ index: 0, delta, logprobs, finish_reason: finish }],
    ...(includesUsage ? { usage } : {}),
  });
  for await (const event of events) {
    if (event.type === 'response.created') begun = event.response;
    if (begun === null) continue;
    const delta = deltaOf(event, calls);
    if (delta !== null) {
      const logprobs =
        event.type === 'response.output_text.delta' ? toChatLogprobs([...event.logprobs]) : null;
      yield chunk(begun, delta, null, { logprobs });
    }
    if (event.type === 'response.failed') yield failedChunk(failureOf(event.response), isCommitted());
    if (event.type === 'response.completed' || event.type === 'response.incomplete') {
      yield chunk(begun, {}, finishOf(event.response));
      if (includesUsage) yield chunk(begun, null, null, { usage: usageOf(event.response) });
    }
  }
}

type Delta = Extract<ChatChunk, { choices: unknown }>['choices'][number]['delta'];

/** What an event adds to the answer; null for nothing. `calls` numbers the calls by their place in the output. */
function deltaOf(event: ResponseEvent, calls: Map<number, number>): Delta | null {
  switch (event.type) {
    case 'response.in_progress':
      return { role: 'assistant', content: '', refusal: null };
    case 'response.output_text.delta':
      return { content: event.delta };
    case 'response.refusal.delta':
      return { refusal: event.delta };
    case 'response.output_item.added': {
      const { item, output_index: place } = event;
      if (!isCall(item)) return null;
      calls.set(place, calls.size);
      const { name, call_id: id } = item;
      return {
        tool_calls: [{ index: calls.size - 1, id, type: 'function', function: { name, arguments: '' } }],
      };
    }
    case 'response.function_call_arguments.delta':
      return {
        tool_calls: [{ index: calls.get(event.output_index) ?? 0, function: { arguments: event.delta } }],
      };
    default:
      return null;
  }
}

function failedChunk(error: ServiceError, isCommitted: boolean): ChatChunk {
  if (!isCommitted) throw error;
  return { error: toHttpProblem(error, '').body.error };
}

/** Whether no chunk follows. */
export const isLastChunk =
  (includesUsage: boolean) =>
  (event: { readonly type?: string }): boolean => {
    const chunk = event as ChatChunk;
    if ('error' in chunk) return true;
    const [choice] = chunk.choices;
    return includesUsage ? choice === undefined : (choice?.finish_reason ?? null) !== null;
  };

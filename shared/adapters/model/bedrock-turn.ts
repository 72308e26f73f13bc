import type {
  ContentBlock,
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  Message,
  SystemContentBlock,
  TokenUsage,
  ToolConfiguration,
} from '@aws-sdk/client-bedrock-runtime';
import { ModelError } from '#shared/domain/model/port.ts';
import type { TurnContent, TurnItem, TurnPart, TurnRequest, TurnUsage } from '#shared/domain/model/turn.ts';
import { toImage } from './bedrock-image.ts';
import { requireSummary } from './reasoning-summary.ts';
import { putResultsFirst } from './results-first.ts';

type Document = NonNullable<ConverseStreamCommandInput['additionalModelRequestFields']>;

/** What is there before anyone has spoken. */
const BEGINNING: Message = { role: 'user', content: [{ text: '(The conversation begins.)' }] };

/** Beginnings of what lets Bedrock take reasoning up again: a signature of its text, or bytes in place of a text. */
const SIGNED = 'signature:';
const REDACTED = 'redacted:';

/**
 * A conversation as Converse takes it: turns that alternate, beginning with the user's, system texts apart.
 * @throws {ModelError} `rejected` where Bedrock has no form for what is asked for
 */
export function toConverseStream(
  modelId: string,
  request: TurnRequest,
  keepsPrompts: boolean,
): ConverseStreamCommandInput {
  const { maxOutputTokens, temperature, topP, instructions, items } = request;
  requireSummary(modelId, request.reasoning);
  if (request.cacheRetention !== null) {
    throw refused(
      'prompt_cache_retention',
      'Amazon Bedrock does not support prompt_cache_retention: omit it',
    );
  }
  const mayCall = request.tools.length > 0 && request.toolChoice !== 'none';
  const system: SystemContentBlock[] = [
    ...(instructions === null ? [] : [instructions]),
    ...items.flatMap((item) =>
      item.type === 'message' && (item.role === 'system' || item.role === 'developer')
        ? [textOf(item.content)]
        : [],
    ),
  ]
    .filter((text) => text !== '')
    .map((text) => ({ text }));
  if (keepsPrompts && system.length > 0) system.push({ cachePoint: { type: 'default' } });
  return {
    modelId,
    ...(system.length === 0 ? {} : { system }),
    messages: toMessages(items, mayCall),
    inferenceConfig: {
      ...(maxOutputTokens === null ? {} : { maxTokens: maxOutputTokens }),
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
    },
    ...(mayCall ? { toolConfig: toToolConfig(request) } : {}),
    ...toOutputConfig(request.format),
    ...toReasoning(modelId, request.reasoning?.effort ?? null),
  };
}

function toToolConfig({ tools, toolChoice }: TurnRequest): ToolConfiguration {
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      toolSpec: {
        name,
        ...(description ? { description } : {}),
        inputSchema: { json: parameters as Document },
      },
    })),
    ...(toolChoice === 'auto' || toolChoice === 'none'
      ? {}
      : { toolChoice: toolChoice === 'required' ? { any: {} } : { tool: { name: toolChoice.name } } }),
  };
}

function toOutputConfig(format: TurnRequest['format']): Pick<ConverseStreamCommandInput, 'outputConfig'> {
  switch (format.type) {
    case 'text':
      return {};
    case 'json_object':
      throw refused('text.format', 'Amazon Bedrock supports json_schema only, not json_object');
    case 'json_schema': {
      const { name, description, schema } = format;
      const structure = {
        jsonSchema: { name, ...(description ? { description } : {}), schema: JSON.stringify(schema) },
      };
      return { outputConfig: { textFormat: { type: 'json_schema', structure } } };
    }
  }
}

/** Models of OpenAI take the effort by its name; the others have ways of their own. */
function toReasoning(
  modelId: string,
  effort: string | null,
): Pick<ConverseStreamCommandInput, 'additionalModelRequestFields'> {
  if (effort === null) return {};
  if (/(^|[./])openai\./.test(modelId)) return { additionalModelRequestFields: { reasoning_effort: effort } };
  throw refused('reasoning.effort', `${modelId} does not support it on Amazon Bedrock: omit it`);
}

const refused = (requestField: string, message: string): ModelError =>
  new ModelError('rejected', message, { requestField });

/**
 * Where no tool may be called, Converse refuses calls and their results as such, and knows no other way to forbid more
 * of them: the conversation then tells of them in words. Before an assistant that speaks first, and where there are only
 * instructions, the user says that the conversation begins.
 */
function toMessages(items: readonly TurnItem[], mayCall: boolean): Message[] {
  const messages: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = [];
  const names = new Map<string, string>();
  const add = (role: 'user' | 'assistant', blocks: readonly ContentBlock[]): void => {
    if (blocks.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: [...blocks] });
  };
  for (const item of putResultsFirst(items)) {
    switch (item.type) {
      case 'message':
        if (item.role === 'assistant' || item.role === 'user') {
          add(item.role, item.content.flatMap(toBlock));
        }
        break;
      case 'reasoning':
        add('assistant', toReasoningBlocks(item));
        break;
      case 'tool_call':
        names.set(item.callId, item.name);
        add('assistant', [
          mayCall
            ? {
                toolUse: {
                  toolUseId: toToolUseId(item.callId),
                  name: item.name,
                  input: readArguments(item.arguments),
                },
              }
            : { text: `I called ${item.name} with ${item.arguments}` },
        ]);
        break;
      case 'tool_result': {
        const text = item.output === '' ? '(nothing)' : item.output;
        add('user', [
          mayCall
            ? { toolResult: { toolUseId: toToolUseId(item.callId), content: [{ text }] } }
            : { text: `${names.get(item.callId) ?? 'The tool'} answered: ${text}` },
        ]);
        break;
      }
      case 'provider_item':
        break;
    }
  }
  return messages[0]?.role === 'user' ? messages : [BEGINNING, ...messages];
}

const textOf = (content: readonly TurnContent[]): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/** A text without anything but space is refused. */
function toBlock(content: TurnContent): ContentBlock[] {
  if (content.type === 'image') {
    if ((content.detail ?? 'auto') !== 'auto') {
      throw refused('input', 'Amazon Bedrock does not support detail of images: omit it or send "auto"');
    }
    return [toImage(content.url)];
  }
  return content.text.trim() === '' ? [] : [{ text: content.text }];
}

/** Only what Bedrock signed itself is taken back. */
function toReasoningBlocks({ text, encrypted }: Extract<TurnItem, { type: 'reasoning' }>): ContentBlock[] {
  if (encrypted?.startsWith(SIGNED) === true) {
    const signature = encrypted.slice(SIGNED.length);
    return [{ reasoningContent: { reasoningText: { text, signature } } }];
  }
  if (encrypted?.startsWith(REDACTED) === true) {
    const redactedContent = Buffer.from(encrypted.slice(REDACTED.length), 'base64');
    return [{ reasoningContent: { redactedContent } }];
  }
  return [];
}

const toToolUseId = (callId: string): string => callId.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);

/** A model may have written arguments that are no object; it is shown them as they were. */
function readArguments(text: string): Document {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Document;
  } catch {
    // Not JSON either.
  }
  return { arguments: text };
}

/**
 * The pieces of a streamed conversation.
 * @param isParallel whether more than one call is taken: Converse cannot be told, so that further ones are left out
 * @throws {ModelError} `garbage` where the stream ends without saying why, or the model wrote a call that is none
 */
export async function* readConverseStream(
  events: AsyncIterable<ConverseStreamOutput>,
  isParallel: boolean,
): AsyncGenerator<TurnPart, void> {
  /** Calls by the place of their block; null for one that is left out. */
  const calls = new Map<number, { readonly index: number; hasArguments: boolean } | null>();
  let reason: Extract<TurnPart, { type: 'end' }>['reason'] | undefined;
  let usage: TurnUsage | null = null;
  for await (const event of events) {
    if (event.contentBlockStart !== undefined) {
      const { start, contentBlockIndex: at = 0 } = event.contentBlockStart;
      if (start?.toolUse === undefined) continue;
      const { toolUseId, name } = start.toolUse;
      if (!toolUseId || !name) throw new ModelError('garbage', 'Bedrock called a tool without naming it');
      const isTaken = isParallel || calls.size === 0;
      calls.set(at, isTaken ? { index: calls.size, hasArguments: false } : null);
      if (isTaken) yield { type: 'tool_call', index: calls.size - 1, callId: toolUseId, name };
    } else if (event.contentBlockDelta !== undefined) {
      const { delta, contentBlockIndex: at = 0 } = event.contentBlockDelta;
      const thought = delta?.reasoningContent;
      if (delta?.text) yield { type: 'text', delta: delta.text };
      if (thought?.text) yield { type: 'reasoning', delta: thought.text };
      if (thought?.signature) yield { type: 'reasoning_state', encrypted: `${SIGNED}${thought.signature}` };
      if (thought?.redactedContent !== undefined) {
        const bytes = Buffer.from(thought.redactedContent).toString('base64');
        yield { type: 'reasoning_state', encrypted: `${REDACTED}${bytes}` };
      }
      const call = calls.get(at);
      if (delta?.toolUse?.input && call) {
        call.hasArguments = true;
        yield { type: 'tool_arguments', index: call.index, delta: delta.toolUse.input };
      }
    } else if (event.messageStop !== undefined) {
      reason = toReason(event.messageStop.stopReason);
    } else if (event.metadata !== undefined) {
      usage = toUsage(event.metadata.usage);
    }
  }
  if (reason === undefined)
    throw new ModelError('garbage', 'Bedrock ended its answer before it was complete');
  if (reason === 'tool_calls') {
    for (const call of calls.values()) {
      if (call?.hasArguments === false) yield { type: 'tool_arguments', index: call.index, delta: '{}' };
    }
  }
  yield { type: 'end', reason, usage };
}

function toReason(stopReason: string | undefined): Extract<TurnPart, { type: 'end' }>['reason'] {
  switch (stopReason) {
    case 'tool_use':
      return 'tool_calls';
    case 'malformed_model_output':
    case 'malformed_tool_use':
      throw new ModelError('garbage', `The model on Bedrock ended with ${stopReason}`);
    default:
      return toTextEnd(stopReason);
  }
}

/** How a text ended. */
export function toTextEnd(stopReason: string | undefined): 'stop' | 'length' | 'filtered' {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'content_filtered':
    case 'guardrail_intervened':
      return 'filtered';
    default:
      return 'stop';
  }
}

/** What is read from or written into a cache is counted apart. */
function toUsage(usage: TokenUsage | undefined): TurnUsage | null {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return null;
  const { cacheReadInputTokens: read = 0, cacheWriteInputTokens: written = 0 } = usage;
  return {
    inputTokens: usage.inputTokens + read + written,
    cachedTokens: read,
    cacheWriteTokens: written,
    outputTokens: usage.outputTokens,
    reasoningTokens: 0,
  };
}

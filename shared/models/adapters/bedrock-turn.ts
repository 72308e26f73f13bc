import type {
  ContentBlock,
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  Message,
  SystemContentBlock,
  TokenUsage,
  ToolConfiguration,
} from '@aws-sdk/client-bedrock-runtime';
import { ModelError } from '../decide/port.ts';
import type { TurnContent, TurnItem, TurnPart, TurnRequest, TurnUsage } from '../decide/turn.ts';
import { toImage } from './bedrock-image.ts';
import { neverWritten, toBedrockSchema } from './bedrock-schema.ts';
import { requireSummary } from './reasoning-summary.ts';
import { putResultsFirst } from './results-first.ts';

type Document = NonNullable<ConverseStreamCommandInput['additionalModelRequestFields']>;

/** Placeholder for the first user message. */
const BEGINNING: Message = { role: 'user', content: [{ text: '(The conversation begins.)' }] };

/** Prefixes of Bedrock's reasoning state: a signature of the text, or redacted bytes. */
const SIGNED = 'signature:';
const REDACTED = 'redacted:';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html */
const TEMPERATURE_MAX = 1;

/**
 * A conversation in Converse's format: alternating turns that begin with the user's, with separate system texts.
 * @param maxTokens the most tokens of the answer; null for the model's own maximum
 * @throws {ModelError} `rejected` if Bedrock does not support a part of the request
 */
export function toConverseStream(
  modelId: string,
  request: TurnRequest,
  keepsPrompts: boolean,
  maxTokens: number | null = request.maxOutputTokens,
): ConverseStreamCommandInput {
  const { temperature, topP, instructions, items } = request;
  requireSummary(modelId, request.reasoning);
  if (request.seed !== undefined) throw refused('seed', 'Amazon Bedrock does not support seed: omit it');
  if (request.logprobs !== undefined) {
    throw refused(
      'include',
      'Amazon Bedrock does not tell the probabilities of tokens: omit what asks for them',
    );
  }
  if (request.cacheRetention !== null) {
    throw refused(
      'prompt_cache_retention',
      'Amazon Bedrock does not support prompt_cache_retention: omit it',
    );
  }
  if (temperature !== null && temperature > TEMPERATURE_MAX) {
    throw refused('temperature', `Amazon Bedrock takes a temperature of 0 to ${TEMPERATURE_MAX}`);
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
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      ...(request.stop === undefined ? {} : { stopSequences: [...request.stop] }),
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
      const { name, description, schema, strict } = format;
      const left = neverWritten(schema);
      if (left !== null) {
        throw refused(
          'text.format',
          `Amazon Bedrock never writes ${left}: name its properties in one schema, or ask for the JSON in words`,
        );
      }
      const told: string[] = [];
      const taken = toBedrockSchema(schema, (keyword) => told.push(keyword));
      if (strict === true && told.length > 0) {
        throw refused(
          'text.format',
          `Amazon Bedrock does not hold a model to ${told.join(', ')}: leave these keywords out, or omit strict`,
        );
      }
      const structure = {
        jsonSchema: { name, ...(description ? { description } : {}), schema: JSON.stringify(taken) },
      };
      return { outputConfig: { textFormat: { type: 'json_schema', structure } } };
    }
  }
}

/** OpenAI models take the effort by name; others have their own settings. */
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
 * If no tool may be called, Converse rejects tool blocks, and has no other way to forbid further calls: calls and
 * results then become plain text. A placeholder user message comes before a leading assistant message, and if there are
 * only instructions.
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

/** Bedrock rejects blank texts. */
function toBlock(content: TurnContent): ContentBlock[] {
  if (content.type === 'image') {
    if ((content.detail ?? 'auto') !== 'auto') {
      throw refused('input', 'Amazon Bedrock does not support detail of images: omit it or send "auto"');
    }
    return [toImage(content.url)];
  }
  return content.text.trim() === '' ? [] : [{ text: content.text }];
}

/** Only state that Bedrock itself signed is sent back. */
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

/** A model may have generated arguments that are not an object; they are sent back unchanged. */
function readArguments(text: string): Document {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Document;
  } catch {
    // Not valid JSON.
  }
  return { arguments: text };
}

/**
 * The parts of a streamed conversation.
 * @param isParallel whether several calls are accepted: Converse has no such setting, so that further ones are dropped
 * @throws {ModelError} `garbage` if the stream ends without a stop reason, or a call is malformed
 */
export async function* readConverseStream(
  events: AsyncIterable<ConverseStreamOutput>,
  isParallel: boolean,
): AsyncGenerator<TurnPart, void> {
  /** Calls by the index of their block; null for a dropped one. */
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

/** Cache reads and writes are counted separately. */
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

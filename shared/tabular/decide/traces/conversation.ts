import { own } from '#shared/platform/own.ts';
import { roleOfSpeaker, type TurnRole } from '../chat-turns.ts';
import { isObject, type JsonObject, parsedCell, stringifyExactly } from './json-values.ts';

/** One call of a model, as a trace holds it: each part as a value, or as its JSON text. */
export interface Exchange {
  readonly input: unknown;
  readonly output: unknown;
  readonly system?: unknown;
  readonly tools?: unknown;
  /** Whether `output` is a list of alternatives, of which the first one counts, and not of turns. */
  readonly hasChoices?: boolean;
}

export interface Conversation {
  readonly messages: readonly Turn[];
  readonly tools: readonly unknown[] | null;
}

/** Why an exchange is no row. */
export type LeftOut =
  | 'no calls of models'
  | 'failed'
  | 'archived'
  | 'nested too deeply'
  | 'without recorded messages'
  | 'without a recorded input'
  | 'without a recorded answer'
  | 'with a speaker that is not known';

interface Turn {
  readonly role: TurnRole;
  readonly content?: unknown;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** Counts what a row has no place for, by its kind. */
export type CountDropped = (kind: string) => void;

/**
 * How many objects, lists and texts of JSON around turns or tools are looked into; what is further down stays text. The nesting of one
 * text is bounded, and the texts in it have that much again: no recursion may follow them all.
 */
export const WRAPPERS_MAX = 16;

/** A message of a speaker that nobody knows. */
class UnknownSpeaker extends Error {}

/**
 * The conversation of a call of a model: system, history and answer in the form of chat completions.
 * @param drop is told of each part that has no place in a row, such as reasoning and audio
 */
export function readConversation(exchange: Exchange, drop: CountDropped): Conversation | LeftOut {
  try {
    return conversationOf(exchange, drop);
  } catch (error) {
    if (error instanceof UnknownSpeaker) return 'with a speaker that is not known';
    throw error;
  }
}

function conversationOf(
  { input, output, system, tools, hasChoices = false }: Exchange,
  drop: CountDropped,
): Conversation | LeftOut {
  const asked = turnsOf(input, 'user', drop);
  const answered = joinCalls(turnsOf(hasChoices ? firstOf(output, drop) : output, 'assistant', drop));
  const told = asked.some(({ role }) => role === 'system') ? [] : turnsOf(system, 'system', drop);
  if (asked.length + answered.length === 0) return 'without recorded messages';
  if (asked.length === 0) return 'without a recorded input';
  if (!answered.some(({ role }) => role === 'assistant')) return 'without a recorded answer';
  // Some record the whole conversation as output.
  const repeatsInput =
    answered.length > asked.length &&
    JSON.stringify(answered.slice(0, asked.length)) === JSON.stringify(asked);
  const declared = toolList(tools, drop);
  const within = declared.length > 0 ? declared : toolList(toolsIn(input), drop);
  return {
    messages: [...told, ...(repeatsInput ? [] : joinCalls(asked)), ...answered],
    tools: within.length === 0 ? null : within,
  };
}

function firstOf(output: unknown, drop: CountDropped): unknown {
  const value = parsedCell(output);
  if (!Array.isArray(value)) return value;
  for (const _ of value.slice(1)) drop('further choice');
  return value[0];
}

/** A value as turns: messages of any form, or a text or object that `speaker` said. */
function turnsOf(value: unknown, speaker: TurnRole, drop: CountDropped, depth = 0): Turn[] {
  if (value === null || value === undefined) return [];
  const known = depth > WRAPPERS_MAX ? null : knownTurns(parsedCell(value), speaker, drop, depth);
  if (known !== null) return known;
  const text = typeof value === 'string' ? value : stringifyExactly(value);
  return text.trim() === '' ? [] : [{ role: speaker, content: text }];
}

/** The turns of a value that is messages, parts of one, or an object around them; null if it is neither. */
function knownTurns(value: unknown, speaker: TurnRole, drop: CountDropped, depth: number): Turn[] | null {
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    if (value.every(isPart)) return turnsOfParts(speaker, value, {}, drop);
    const each = value.map((one) => (isObject(one) ? knownTurns(one, speaker, drop, depth) : null));
    return each.every((turns) => turns !== null) ? each.flat() : null;
  }
  if (!isObject(value)) return null;
  const choices = own(value, 'choices');
  if (Array.isArray(choices)) return turnsOf(firstOf(choices, drop), speaker, drop, depth + 1);
  for (const key of ['messages', 'message', 'contents'] as const) {
    const inner = own(value, key);
    if (key !== 'contents' ? inner !== undefined && typeof inner !== 'string' : Array.isArray(inner)) {
      if (own(value, 'role') === undefined) return turnsOf(inner, speaker, drop, depth + 1);
    }
  }
  const [items, kind] = [own(value, 'output'), own(value, 'object')];
  if (kind === 'response' && Array.isArray(items)) return turnsOf(items, speaker, drop, depth + 1);
  return turnsOfMessage(value, speaker, drop);
}

/** Members of an answer that is written without its role. */
const ANSWER_KEYS: ReadonlySet<string> = new Set([
  'content',
  'tool_calls',
  'function_call',
  'refusal',
  'annotations',
  'audio',
  'finish_reason',
]);

/** The turns of one message: of chat completions, of OpenTelemetry, or an item of the Responses API. */
function turnsOfMessage(message: JsonObject, speaker: TurnRole, drop: CountDropped): Turn[] | null {
  const type = own(message, 'type');
  if (type === 'function_call') return [callTurn([message])];
  if (type === 'function_call_output') {
    return [resultTurn(own(message, 'call_id'), own(message, 'output'))];
  }
  if (type === 'reasoning' && own(message, 'role') === undefined) {
    drop('reasoning');
    return [];
  }
  const named = own(message, 'role') ?? (type === 'message' ? undefined : speakerOfType(type));
  const hasAnswer =
    'content' in message && named === undefined && Object.keys(message).every((key) => ANSWER_KEYS.has(key));
  if (typeof named !== 'string' && !hasAnswer) return null;
  const role = typeof named === 'string' ? roleOfMessage(named) : speaker;
  if (role === undefined) throw new UnknownSpeaker();
  const content = own(message, 'parts') ?? own(message, 'contents') ?? own(message, 'content');
  const parts = parsedCell(content);
  const list = Array.isArray(parts) && parts.every((part) => isPart(part) || typeof part === 'string');
  return turnsOfParts(role, list ? (parts as unknown[]) : [content], message, drop);
}

/** `function` is the older name of the role of results. */
const roleOfMessage = (name: string): TurnRole | undefined =>
  name === 'function' ? 'tool' : roleOfSpeaker(name);

/** The speaker of a message that says it by its type, as those of LangChain do. */
function speakerOfType(type: unknown): string | undefined {
  return type === 'human' || type === 'ai' || type === 'system' || type === 'tool' ? type : undefined;
}

const PART_KEYS = ['functionCall', 'function_call', 'functionResponse', 'function_response'] as const;

/** Whether a value is a part of a message, and no message. */
function isPart(value: unknown): boolean {
  if (!isObject(value) || own(value, 'role') !== undefined) return false;
  if (isObject(own(value, 'message_content'))) return true;
  const type = own(value, 'type');
  if (typeof type === 'string') {
    return !['message', 'function_call', 'function_call_output', 'human', 'ai', 'system', 'tool'].includes(
      type,
    );
  }
  return typeof own(value, 'text') === 'string' || PART_KEYS.some((key) => isObject(own(value, key)));
}

/**
 * The turns of a message with these parts: results of tools are turns of their own.
 * @param message its other members: calls, and the call that it answers
 */
function turnsOfParts(
  role: TurnRole,
  parts: readonly unknown[],
  message: JsonObject,
  drop: CountDropped,
): Turn[] {
  const content: object[] = [];
  const calls: JsonObject[] = callList(message);
  const results: Turn[] = [];
  for (const part of parts) {
    if (part === null || part === undefined) continue;
    if (typeof part === 'string') content.push({ type: 'text', text: part });
    else if (!isObject(part)) content.push({ type: 'text', text: stringifyExactly(part) });
    else readPart(part, { content, calls, results }, drop);
  }
  const answers = own(message, 'tool_call_id') ?? own(message, 'toolCallId');
  if (role === 'tool' && results.length === 0) {
    return [resultTurn(answers, contentOf(content) ?? '')];
  }
  const text = contentOf(content);
  if (calls.length > 0) return [...results, { ...callTurn(calls), content: text }];
  return text === null && (results.length > 0 || role === 'assistant')
    ? results
    : [...results, { role, content: text ?? '' }];
}

interface Parts {
  readonly content: object[];
  readonly calls: JsonObject[];
  readonly results: Turn[];
}

/** Sorts a part: text, image, call, result of a call, or one that a row has no place for. */
function readPart(written: JsonObject, { content, calls, results }: Parts, drop: CountDropped): void {
  const inner = own(written, 'message_content');
  const part = isObject(inner) ? inner : written;
  const value = (...names: readonly string[]): unknown => {
    for (const name of names) if (own(part, name) !== undefined) return own(part, name);
    return undefined;
  };
  const type = value('type');
  const called = value('functionCall', 'function_call');
  const returned = value('functionResponse', 'function_response');
  if (isObject(called)) {
    calls.push(called);
    return;
  }
  if (isObject(returned)) {
    results.push(resultTurn(own(returned, 'id'), own(returned, 'response')));
    return;
  }
  switch (type) {
    case undefined:
    case 'text':
    case 'input_text':
    case 'output_text': {
      const text = value('text', 'content') ?? '';
      content.push({ type: 'text', text: typeof text === 'string' ? text : stringifyExactly(text) });
      return;
    }
    case 'tool_call':
    case 'tool_use':
    case 'tool-call':
      calls.push(part);
      return;
    case 'tool_call_response':
    case 'tool_result':
    case 'tool-result':
      results.push(
        resultTurn(
          value('id', 'tool_use_id', 'toolCallId'),
          value('response', 'result', 'content', 'output'),
        ),
      );
      return;
    default: {
      const url = imageUrl(part, type);
      if (url !== null) content.push({ type: 'image_url', image_url: { url } });
      else drop(typeof type === 'string' ? type : 'other');
    }
  }
}

/** The address of an image, or its bytes as one; null if the part is no image. */
function imageUrl(part: JsonObject, type: unknown): string | null {
  const image = own(part, 'image_url') ?? own(part, 'image');
  const nested = isObject(image)
    ? (own(image, 'url') ?? own(own(image, 'image') as JsonObject, 'url'))
    : image;
  if (typeof nested === 'string') return nested;
  const [mime, modality] = [own(part, 'mime_type'), own(part, 'modality')];
  const isImage = modality === 'image' || (typeof mime === 'string' && mime.startsWith('image/'));
  if (!isImage) return null;
  const [uri, bytes] = [own(part, 'uri'), own(part, 'content') ?? own(part, 'data')];
  if (type === 'uri' && typeof uri === 'string') return uri;
  return type === 'blob' && typeof bytes === 'string'
    ? `data:${typeof mime === 'string' ? mime : 'image/png'};base64,${bytes}`
    : null;
}

/** One text as it is, several parts as a list; null without any. */
function contentOf(parts: readonly object[]): unknown {
  const [only, ...others] = parts;
  if (only === undefined) return null;
  return others.length === 0 && 'text' in only ? only.text : parts;
}

/** The calls of a message in the forms of chat completions and OpenInference. */
function callList(message: JsonObject): JsonObject[] {
  const many = parsedCell(own(message, 'tool_calls'));
  const one = parsedCell(own(message, 'function_call'));
  const calls = Array.isArray(many) ? many : isObject(one) ? [one] : [];
  return calls.filter(isObject).map((call) => {
    const inner = own(call, 'tool_call');
    return isObject(inner) ? inner : call;
  });
}

/** The turn that makes these calls, whose arguments are a text of JSON. */
function callTurn(calls: readonly JsonObject[]): Turn {
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map((call) => {
      const inner = own(call, 'function');
      const called = isObject(inner) ? inner : call;
      const name = own(called, 'name') ?? own(called, 'toolName');
      const given = own(called, 'arguments') ?? own(called, 'args') ?? own(called, 'input') ?? {};
      const id = own(call, 'call_id') ?? own(call, 'id') ?? own(call, 'toolCallId');
      return {
        ...(typeof id === 'string' ? { id } : {}),
        type: 'function',
        function: {
          name: typeof name === 'string' ? name : '',
          arguments: typeof given === 'string' ? given : stringifyExactly(given),
        },
      };
    }),
  };
}

/** The turn with the result of a call: a text, or a value as one. */
function resultTurn(id: unknown, result: unknown): Turn {
  const inner = isObject(result) && own(result, 'type') === 'text' ? own(result, 'value') : undefined;
  const value = inner ?? result ?? '';
  const isParts = Array.isArray(value) && value.length > 0 && value.every(isPart);
  const texts = isParts ? value.map((part: JsonObject) => own(part, 'text') ?? own(part, 'content')) : [];
  const content =
    isParts && texts.every((text) => typeof text === 'string')
      ? texts.join('\n')
      : typeof value === 'string'
        ? value
        : stringifyExactly(value);
  return { role: 'tool', ...(typeof id === 'string' ? { tool_call_id: id } : {}), content };
}

/** Calls that follow another turn of the model, as items of the Responses API do, belong to that turn. */
function joinCalls(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  // The calls of the last turn if others were joined to it: one list, because a copy for each would take quadratic time.
  let calls: object[] | null = null;
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role !== 'assistant' || turn.role !== 'assistant' || turn.content !== null) {
      joined.push(turn);
      calls = null;
      continue;
    }
    if (calls === null) {
      calls = [...(last.tool_calls ?? [])];
      joined[joined.length - 1] = { ...last, tool_calls: calls };
    }
    for (const call of turn.tool_calls ?? []) calls.push(call);
  }
  return joined;
}

/** The tools beside the messages of a request that was recorded as a whole. */
function toolsIn(input: unknown): unknown {
  const value = parsedCell(input);
  return isObject(value) ? own(value, 'tools') : undefined;
}

/** Definitions of functions in the form of chat completions. */
function toolList(value: unknown, drop: CountDropped, depth = 0): unknown[] {
  const list = parsedCell(value);
  if (!Array.isArray(list)) return [];
  return list.flatMap((each) => {
    const written = parsedCell(each);
    if (!isObject(written)) return [];
    const declared = own(written, 'functionDeclarations') ?? own(written, 'function_declarations');
    if (Array.isArray(declared) && depth < WRAPPERS_MAX) return toolList(declared, drop, depth + 1);
    const wrapped = own(written, 'tool');
    const schema = parsedCell(own(isObject(wrapped) ? wrapped : written, 'json_schema'));
    const tool = isObject(schema) ? schema : written;
    if (isObject(own(tool, 'function'))) return [tool];
    const [name, description] = [own(tool, 'name'), own(tool, 'description')];
    if (typeof name !== 'string') {
      drop('tool without a name');
      return [];
    }
    const parameters = parsedCell(
      own(tool, 'parameters') ?? own(tool, 'input_schema') ?? own(tool, 'inputSchema') ?? null,
    );
    return [
      {
        type: 'function',
        function: {
          name,
          ...(typeof description === 'string' ? { description } : {}),
          ...(parameters === null ? {} : { parameters }),
        },
      },
    ];
  });
}

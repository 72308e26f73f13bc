import { own } from '#shared/platform/own.ts';
import { NESTING_MAX, TURNS_MAX } from './limits.ts';
import { nestsWithin, parseWithin } from './measure-json.ts';
import { readRendered, startsRendered } from './rendered-turns.ts';

/** Roles that a turn may have: those of chat-completion APIs. */
export const TURN_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type TurnRole = (typeof TURN_ROLES)[number];

/** Whether a turn tells the model how to answer, as a system prompt does. */
export const isSystemTurn = ({ role }: { readonly role: string }): boolean =>
  role === 'system' || role === 'developer';

/** A turn as stored in its cell; other fields than role and content (names, tool calls) are kept. */
export interface ChatTurn {
  readonly role: TurnRole;
  readonly content?: unknown;
  /** 0 excludes a reply from training: https://platform.openai.com/docs/api-reference/fine-tuning/chat-input */
  readonly weight?: unknown;
}

/** Stands between the results of parallel calls in one turn of ShareGPT, as LLaMA-Factory joins them. */
export const RESULTS_JOINT = '\n</tool_response>\n<tool_response>\n';

/** Speakers whose turn is a call. */
const CALLING: ReadonlySet<string> = new Set(['function_call', 'tool_call']);

/** The roles of turns in the form `{from, value}`, which ShareGPT and the tools around it write. */
const ROLES_OF_SPEAKERS: Readonly<Record<string, TurnRole>> = {
  system: 'system',
  human: 'user',
  user: 'user',
  prompter: 'user',
  gpt: 'assistant',
  chatgpt: 'assistant',
  bing: 'assistant',
  bard: 'assistant',
  claude: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  chatbot: 'assistant',
  model: 'assistant',
  assistant: 'assistant',
  function_call: 'assistant',
  tool_call: 'assistant',
  function_response: 'tool',
  tool_response: 'tool',
  observation: 'tool',
  tool: 'tool',
  ipython: 'tool',
};

/** The role of a speaker, by any of the names that tools write, in any case; undefined for a name that nobody does. */
export function roleOfSpeaker(name: string): TurnRole | undefined {
  const lower = name.toLowerCase();
  return lower === 'developer' ? lower : own(ROLES_OF_SPEAKERS, lower);
}

/**
 * Reads a cell of turns: a JSON array of `{role, content}`, or an object that has it as `messages`, or is one turn of ShareGPT, where content is text, a list of parts, or null if there
 * are tool calls. Turns of the form `{from, value}`, of the older form of functions, and of Anthropic and Bedrock become turns of this
 * form, their calls `tool_calls`, and the results of these turns of their own. Roles may be written in any case. A text that a chat
 * template has rendered is read by its marks.
 * @returns the turns, or a description of the error, without quoting the cell
 */
export function readTurns(text: string): ChatTurn[] | string {
  // Most cells are neither arrays nor objects: they are not walked.
  if (!startsTurns(text)) return 'is not a JSON array of turns';
  const value: unknown = readRendered(text);
  if (value !== null) return readValue(value);
  if (!nestsWithin(text)) return `nests deeper than ${NESTING_MAX} levels`;
  return readValue(messagesIn(parseWithin(text)));
}

function readValue(value: unknown): ChatTurn[] | string {
  if (!Array.isArray(value)) return 'is not a JSON array of turns';
  if (value.length === 0) return 'has no turns';
  // Before each is looked at, and after each step, since a turn may hold many results.
  const parted = value.length > TURNS_MAX ? value : value.flatMap(partResults);
  if (parted.length > TURNS_MAX) return tooManyTurns();
  const turns = parted.map(toCurrentForm).flatMap(partCalls);
  if (turns.length > TURNS_MAX) return tooManyTurns();
  for (const [index, turn] of turns.entries()) {
    const problem = problemOf(turn);
    if (problem !== null) return `has a turn (number ${index + 1}) that ${problem}`;
  }
  return turns as ChatTurn[];
}

const tooManyTurns = (): string => `has more than ${TURNS_MAX} turns`;

const STARTS_TURNS = /^\s*(?:\[|\{\s*"(?:messages|tools|parallel_tool_calls|from|value)")/;

/** Whether a cell looks like turns, by how it begins. */
export const startsTurns = (text: string): boolean => STARTS_TURNS.test(text) || startsRendered(text);

/**
 * The turns of a request `{messages, tools}`, as the input of OpenAI's preference rows is one, and an answer of ShareGPT's, which is
 * a turn; other values as they are.
 */
function messagesIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('messages' in value) return value.messages;
  return 'from' in value && 'value' in value ? [value] : value;
}

/**
 * The results of parallel calls in a turn of ShareGPT as turns of their own; any other value as it is. The first one alone has the
 * other members of the turn: each with a copy, a cell of many results and many members would become far larger than it is.
 */
function partResults(turn: unknown): readonly unknown[] {
  if (typeof turn !== 'object' || turn === null) return [turn];
  const { role, from, value } = turn as Readonly<Record<'role' | 'from' | 'value', unknown>>;
  if (role !== undefined || from !== 'observation' || typeof value !== 'string') return [turn];
  const [first, ...results] = value.split(RESULTS_JOINT, TURNS_MAX + 1);
  return [{ ...turn, value: first }, ...results.map((result) => ({ from, value: result }))];
}

/** A turn of another form in the form of chat-completion APIs; any other value as it is. */
function toCurrentForm(turn: unknown): unknown {
  if (typeof turn !== 'object' || turn === null) return turn;
  const { role, from, value, ...others } = turn as Readonly<Record<string, unknown>>;
  if (role === undefined && typeof from === 'string' && typeof value === 'string') {
    const speaker = roleOfSpeaker(from);
    if (speaker === undefined) return { role: from, content: value, ...others };
    const calls = CALLING.has(from.toLowerCase()) ? readCalls(value) : null;
    return calls === null
      ? { role: speaker, content: value, ...others }
      : { role: speaker, content: null, ...others, tool_calls: calls };
  }
  if (role === 'function') return { ...turn, role: 'tool' };
  // `system`, `user`, `assistant` and `tool` are speakers of the same name.
  const named = typeof role === 'string' ? (roleOfSpeaker(role) ?? role) : role;
  const current = named === role ? turn : { ...turn, role: named };
  const { function_call: asked, ...rest } = current as { readonly function_call?: unknown };
  const call = named === 'assistant' ? callOf(asked) : null;
  return call === null || 'tool_calls' in turn ? current : { ...rest, tool_calls: [call] };
}

/** What a part of a content may hold in the forms of Anthropic and Bedrock. */
type Part = Readonly<
  Record<
    'type' | 'id' | 'name' | 'input' | 'tool_use_id' | 'content' | 'is_error' | 'toolUse' | 'toolResult',
    unknown
  >
>;

/**
 * The calls among the parts of a turn as its `tool_calls`, and results among them as turns of their own in front of it; any other turn
 * as it is.
 */
function partCalls(turn: unknown): readonly unknown[] {
  if (typeof turn !== 'object' || turn === null || !('content' in turn) || 'tool_calls' in turn)
    return [turn];
  const { role, content, ...others } = turn as Readonly<Record<'role' | 'content', unknown>>;
  if (!Array.isArray(content)) return [turn];
  if (role === 'assistant') {
    const calls = content.map(callOfPart);
    const parts = content.filter((_, n) => calls[n] === null);
    if (parts.length === content.length) return [turn];
    const made = calls.filter((call) => call !== null);
    return [{ role, content: parts.length === 0 ? null : parts, ...others, tool_calls: made }];
  }
  if (role !== 'user') return [turn];
  const results = content.map(resultOfPart);
  const parts = content.filter((_, n) => results[n] === null);
  if (parts.length === content.length) return [turn];
  const made = results.filter((result) => result !== null);
  return parts.length === 0 ? made : [...made, { role, content: parts, ...others }];
}

function callOfPart(part: unknown): ToolCall | null {
  if (typeof part !== 'object' || part === null) return null;
  const { type, id, name, input, toolUse } = part as Part;
  if (type === 'tool_use') return namedCall(id, { name, arguments: input });
  if (typeof toolUse !== 'object' || toolUse === null) return null;
  const { toolUseId, name: used, input: given } = toolUse as Readonly<Record<string, unknown>>;
  return namedCall(toolUseId, { name: used, arguments: given });
}

function namedCall(
  id: unknown,
  called: { readonly name: unknown; readonly arguments: unknown },
): ToolCall | null {
  const call = callOf(called);
  return call === null || typeof id !== 'string' ? call : { id, ...call };
}

function resultOfPart(part: unknown): object | null {
  if (typeof part !== 'object' || part === null) return null;
  const { type, tool_use_id, content = '', is_error, toolResult } = part as Part;
  if (type === 'tool_result') {
    return {
      role: 'tool',
      tool_call_id: tool_use_id,
      content: is_error === true ? failed(content) : content,
    };
  }
  if (typeof toolResult !== 'object' || toolResult === null) return null;
  const { toolUseId, content: given = '', status } = toolResult as Readonly<Record<string, unknown>>;
  const texts = Array.isArray(given) ? given.map(textOfJsonPart) : given;
  return { role: 'tool', tool_call_id: toolUseId, content: status === 'error' ? failed(texts) : texts };
}

const ERROR = 'Error: ';

/** The content of a result that failed: other forms have no field for it, so that its text says so. */
function failed(content: unknown): unknown {
  if (typeof content === 'string')
    return /^\W{0,10}error/i.test(content) ? content : `${ERROR}${content}`.trim();
  if (!Array.isArray(content)) return content ?? ERROR.trim();
  const [first] = content.filter(isTextPart);
  if (first === undefined) return [{ type: 'text', text: ERROR.trim() }, ...content];
  return content.map((part) => (part === first ? { ...first, text: failed(first.text) } : part));
}

const isTextPart = (part: unknown): part is { readonly text: string } =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';

/** A part of Bedrock's that is JSON, as a text. */
const textOfJsonPart = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && 'json' in part ? { text: JSON.stringify(part.json) } : part;

interface ToolCall {
  readonly id?: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The calls in a turn of ShareGPT: one, or a list of parallel ones; null if it holds anything else. */
function readCalls(text: string): ToolCall[] | null {
  const value = parseWithin(text);
  const calls = (Array.isArray(value) ? value : [value]).map(callOf);
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

/** A call `{name, arguments}`, whose arguments are an object or its JSON text; null for anything else. */
function callOf(value: unknown): ToolCall | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, arguments: given = {} } = value as { readonly name?: unknown; readonly arguments?: unknown };
  if (typeof name !== 'string') return null;
  return {
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  };
}

function problemOf(turn: unknown): string | null {
  if (typeof turn !== 'object' || turn === null || Array.isArray(turn)) return 'is no object';
  const { role, content } = turn as { role?: unknown; content?: unknown };
  if (role === undefined) return 'has no role';
  if (!TURN_ROLES.includes(role as TurnRole)) return `has a role other than ${TURN_ROLES.join(', ')}`;
  const isParts =
    Array.isArray(content) && content.every((part) => typeof part === 'object' && part !== null);
  if (typeof content === 'string' || isParts) return null;
  if ((content === null || content === undefined) && (role === 'assistant' || role === 'tool')) return null;
  return 'has a content that is neither text nor a list of parts';
}

/** The turns up to the last reply that is trained on; none where each reply has the weight 0. */
export function untilTrained(turns: readonly ChatTurn[]): readonly ChatTurn[] {
  const last = turns.findLast(({ role }) => role === 'assistant');
  if (last?.weight !== 0) return turns;
  return turns.slice(0, turns.findLastIndex(({ role, weight }) => role === 'assistant' && weight !== 0) + 1);
}

/** The text of a turn; of a list of parts, that of its text parts. */
export function turnText({ content }: ChatTurn): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: { text?: unknown }) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

/** Whether a turn has parts that are no text, such as images. */
export const hasOtherParts = ({ content }: ChatTurn): boolean =>
  Array.isArray(content) && content.some((part: { text?: unknown }) => typeof part.text !== 'string');

/** The turn with another text; its other parts (images) stay. */
export function withText(turn: ChatTurn, text: string): ChatTurn {
  if (!Array.isArray(turn.content)) return { ...turn, content: text };
  const others = turn.content.filter((part: { text?: unknown }) => typeof part.text !== 'string');
  return { ...turn, content: [...others, { type: 'text', text }] };
}

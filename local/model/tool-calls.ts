import { ApiError } from './api-error.ts';
import { type JsonSchema, toGrammarSchema } from './grammar-schema.ts';
import type { ChatRequest, ChatTurn } from './requests.ts';
import type { AnswerFormat } from './text-generator.ts';

/** The parts of an answer, in order. */
export type AnswerPiece =
  | { readonly type: 'text'; readonly text: string }
  /** `arguments` is JSON text. */
  | { readonly type: 'call'; readonly name: string; readonly arguments: string };

/** Separates tool calls from text, in a streamed answer. */
export interface AnswerReader {
  push(text: string): readonly AnswerPiece[];
  /** The held-back text, at the end of the stream. */
  flush(): readonly AnswerPiece[];
}

/** The tools of a request in the model's format. */
export interface OfferedTools {
  /** The conversation, with the tools in its instructions, and calls and results in the model's format. */
  readonly turns: readonly ChatTurn[];
  /** The start of the answer if a call is demanded. */
  readonly opening: string;
  /** The format of a demanded call. */
  readonly format: AnswerFormat | undefined;
  readonly stops: readonly string[];
  createReader(): AnswerReader;
}

type Tool = NonNullable<ChatRequest['tools']>[number]['function'];

/** A message of a request, or of a row that is trained on. */
export interface ToolMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null | undefined;
  readonly tool_calls?:
    | readonly { readonly function: { readonly name: string; readonly arguments: string } }[]
    | null
    | undefined;
}

/** What is told to the model of a tool. */
interface ToldTool {
  readonly name: string;
  readonly description?: unknown;
  readonly parameters?: unknown;
}

// The tool format that Qwen2.5 was trained with. SmolLM2 only knows ChatML: it calls tools only if forced.
const callBegin = '<tool_call>';
const callEnd = '</tool_call>';
const defaultInstructions = 'You are a helpful assistant.';

/**
 * Adds the tools of a request to its messages. A grammar forces a demanded call, with arguments of the tool's schema.
 * @throws {ApiError} 400 if the choice names no tool, if tools and a response format are both requested, or if a strict
 * tool has a schema that no grammar can enforce
 */
export function readTools(request: ChatRequest): OfferedTools {
  const all = (request.tools ?? []).map((tool) => tool.function);
  const choice = request.tool_choice ?? 'auto';
  if (all.length === 0 && choice !== 'auto' && choice !== 'none') {
    throw refuse('tool_choice', 'There are no tools that it could demand. Send tools, or leave it out.');
  }
  const repeated = all.find(({ name }, at) => all.findIndex((other) => other.name === name) !== at);
  if (repeated !== undefined) throw refuse('tools', `Two tools are called "${repeated.name}".`);
  const tools = choice === 'none' ? [] : all;
  const demanded = demandedTools(tools, choice);
  const format = request.response_format?.type ?? 'text';
  if (tools.length > 0 && format !== 'text') {
    throw refuse(
      'response_format',
      'This model writes either calls or an answer of a form: leave tools or response_format out, or set tool_choice to none.',
    );
  }
  const turns = toTurns(request.messages, tools);
  if (demanded !== undefined) {
    return {
      turns,
      opening: `${callBegin}\n`,
      format: { schema: { oneOf: demanded.map(toCallSchema) } },
      stops: [],
      createReader: readForcedCall,
    };
  }
  const names = new Set(tools.map(({ name }) => name));
  return {
    turns,
    opening: '',
    format: undefined,
    stops: names.size > 0 && request.parallel_tool_calls === false ? [callEnd] : [],
    createReader: names.size === 0 ? readText : () => new CallReader(names),
  };
}

/** The tools of which one must be called; undefined if none must. */
function demandedTools(
  tools: readonly Tool[],
  choice: NonNullable<ChatRequest['tool_choice']>,
): readonly Tool[] | undefined {
  if (choice === 'auto' || choice === 'none') return undefined;
  if (choice === 'required') return tools;
  const chosen = tools.filter(({ name }) => name === choice.function.name);
  if (chosen.length === 0) throw refuse('tool_choice', `There is no tool "${choice.function.name}".`);
  return chosen;
}

function toCallSchema({ name, parameters, strict }: Tool): JsonSchema {
  return {
    type: 'object',
    properties: { name: { enum: [name] }, arguments: toArguments(parameters ?? {}, strict === true) },
    additionalProperties: false,
  };
}

/** Arguments of a tool that is not strict need not satisfy its schema: any object is accepted. */
function toArguments(parameters: JsonSchema, isStrict: boolean): JsonSchema {
  try {
    return toGrammarSchema({ type: 'object', ...parameters });
  } catch (error) {
    if (isStrict || !(error instanceof ApiError)) throw error;
    return { type: 'object', properties: {}, additionalProperties: true };
  }
}

/** Added to results, because small models otherwise repeat the same call. */
const afterResults = 'These are the results of the calls. Use them to answer my question.';

/** Messages in the format of the model, as a request has them and as a trainer learns them. */
export function toTurns(messages: readonly ToolMessage[], tools: readonly ToldTool[]): ChatTurn[] {
  const turns: ChatTurn[] = [];
  // Results of one step form one turn.
  let results: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool') {
      turns.push({ role: message.role, content: contentOf(message) });
      continue;
    }
    results.push(`<tool_response>\n${message.content ?? ''}\n</tool_response>`);
    if (messages[at + 1]?.role === 'tool') continue;
    turns.push({ role: 'user', content: `${results.join('\n')}\n\n${afterResults}` });
    results = [];
  }
  if (tools.length === 0) return turns;
  const [first, ...rest] = turns;
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${describeTools(tools)}` }, ...rest]
    : [{ role: 'system', content: `${defaultInstructions}\n\n${describeTools(tools)}` }, ...turns];
}

/** The text of a message, with its calls as the model writes them. */
export function contentOf({ content, tool_calls }: Omit<ToolMessage, 'role'>): string {
  const calls = (tool_calls ?? []).map(
    ({ function: { name, arguments: given } }) =>
      `${callBegin}\n{"name": ${JSON.stringify(name)}, "arguments": ${given}}\n${callEnd}`,
  );
  return [...(content ? [content] : []), ...calls].join('\n');
}

function describeTools(tools: readonly ToldTool[]): string {
  const signatures = tools.map(({ name, description, parameters }) =>
    JSON.stringify({
      type: 'function',
      function: {
        name,
        ...(description ? { description } : {}),
        parameters: parameters ?? { type: 'object' },
      },
    }),
  );
  return [
    '# Tools',
    '',
    'You may call one or more functions to assist with the user query.',
    '',
    'You are provided with function signatures within <tools></tools> XML tags:',
    '<tools>',
    ...signatures,
    '</tools>',
    '',
    'For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:',
    callBegin,
    '{"name": <function-name>, "arguments": <args-json-object>}',
    callEnd,
  ].join('\n');
}

const readText = (): AnswerReader => ({
  push: (text) => [{ type: 'text', text }],
  flush: () => [],
});

/** A grammar forces a single call; if it is truncated by the token limit, it is returned as text. */
function readForcedCall(): AnswerReader {
  let text = '';
  return {
    push(piece) {
      text += piece;
      return [];
    },
    flush: () => [parseCall(text) ?? { type: 'text', text }],
  };
}

/** Holds back a possible start of a call, and the space before it. */
class CallReader implements AnswerReader {
  readonly #names: ReadonlySet<string>;
  #held = '';
  #isCalling = false;
  #hasCalled = false;
  /** Whether the answer started like a call without tags: only the JSON of a call. */
  #isBare: boolean | undefined;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  push(piece: string): readonly AnswerPiece[] {
    this.#held += piece;
    const pieces: AnswerPiece[] = [];
    if (this.#isBare === undefined) {
      const start = this.#held.trimStart();
      if (start === '' || '```json'.startsWith(start)) return [];
      this.#isBare = /^(\{|```json\b)/.test(start);
    }
    if (this.#isBare) return [];
    for (;;) {
      if (this.#isCalling) {
        const end = this.#held.indexOf(callEnd);
        if (end < 0) return pieces;
        pieces.push(this.#toPiece(this.#held.slice(0, end), callEnd));
        this.#held = this.#held.slice(end + callEnd.length);
        this.#isCalling = false;
      } else {
        const begin = this.#held.indexOf(callBegin);
        if (begin < 0) {
          const shown = this.#held.slice(0, this.#held.length - undecided(this.#held));
          if (shown !== '') pieces.push({ type: 'text', text: shown });
          this.#held = this.#held.slice(shown.length);
          return pieces;
        }
        const before = this.#held.slice(0, begin).trimEnd();
        if (before !== '') pieces.push({ type: 'text', text: before });
        this.#held = this.#held.slice(begin + callBegin.length);
        this.#isCalling = true;
      }
    }
  }

  flush(): readonly AnswerPiece[] {
    const text = this.#held;
    this.#held = '';
    if (this.#isCalling) return [this.#toPiece(text, '')];
    if (this.#isBare) return readBareCalls(text, this.#names) ?? [{ type: 'text', text }];
    return text === '' || (this.#hasCalled && text.trim() === '') ? [] : [{ type: 'text', text }];
  }

  #toPiece(json: string, end: string): AnswerPiece {
    this.#hasCalled = true;
    return parseCall(json, this.#names) ?? { type: 'text', text: `${callBegin}${json}${end}` };
  }
}

/** Calls without tags, one per line; undefined if there is other text. */
function readBareCalls(text: string, names: ReadonlySet<string>): AnswerPiece[] | undefined {
  const json = /^```json\b([\s\S]*?)(?:```)?$/.exec(text.trim())?.[1] ?? text;
  const calls = json
    .trim()
    .split(/(?<=^\}),?\s*\n(?=\{)/m)
    .map((each) => parseCall(each, names));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function parseCall(text: string, names?: ReadonlySet<string>): AnswerPiece | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not a valid call, so it is text.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, arguments: given } = value as { name?: unknown; arguments?: unknown };
  if (typeof name !== 'string' || (names !== undefined && !names.has(name))) return undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  return { type: 'call', name, arguments: JSON.stringify(given) };
}

/** Length of the suffix that may start a call, or is space before one. */
function undecided(text: string): number {
  let length = Math.min(text.length, callBegin.length - 1);
  while (length > 0 && !text.endsWith(callBegin.slice(0, length))) length -= 1;
  const shown = text.slice(0, text.length - length);
  return length + shown.length - shown.trimEnd().length;
}

function refuse(parameter: string, message: string): ApiError {
  return new ApiError(400, message, { code: 'invalid_value', parameter });
}

import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import { type NamedText, requestWithContext } from '#shared/answers/decide/row-material.ts';
import { isAsItCame } from '#shared/answers/decide/turns-of-run.ts';
import {
  type ChatTurn,
  hasOtherParts,
  readTurns,
  startsTurns,
  turnText,
  untilTrained,
} from '#shared/tabular/decide/chat-turns.ts';
import { behindSystem, historyTurns, systemText } from '#shared/tabular/decide/forms/history.ts';
import { holdsTurns, joinTurns } from '#shared/tabular/decide/forms/join-turns.ts';
import { heldByBlock } from '#shared/tabular/decide/forms/metadata-block.ts';
import {
  argumentsOf,
  callsOf,
  declaredTools,
  isCallCell,
  toolsIn,
  toolsOf,
  turnsCell,
} from '#shared/tabular/decide/forms/tool-calls.ts';
import type { ChatMessage, TrainedAnswer, TrainingExample } from '../schema/training-job.ts';
import type { ExampleColumns } from './record.ts';

/** The reason why a row is skipped, without the row's text. */
export type Skip = { readonly skip: string };

/** The columns of examples. */
export function columnsOfExamples({
  context,
  conversations: _,
  replies: __,
  ...roles
}: ExampleColumns): string[] {
  return [...new Set([...Object.values(roles), ...context].filter((name) => typeof name === 'string'))];
}

/** The columns that hold conversations where nothing is known of their cells: a prompt that has its own answer. */
export function conversationsByRole({ prompt, completion, chosen }: ExampleColumns): string[] {
  return completion === null && chosen === null ? [prompt] : [];
}

/**
 * Converts a row to an example: the prompt with its context and the completion, or the better and the worse answer.
 * Texts stay as they are, with the spaces around them. Cells of conversations are parsed; in a conversation without a
 * completion the last reply is the answer, whatever stands behind it, and turns in front of an answer belong to its prompt. A reply that calls tools is
 * an answer as well. A completion without a prompt is a plain text.
 */
export function readExample(
  columns: ExampleColumns,
  cells: SourceCells,
  row: number,
): TrainingExample | Skip {
  return orSkip(() => toExample(asTheyCame(columns, cells), cells, row));
}

/**
 * The same, of each reply of a conversation if the columns say so: the last one first, then those before it that have no
 * weight of 0, as many as may be trained on.
 */
export function readExamples(
  named: ExampleColumns,
  cells: SourceCells,
  row: number,
): readonly [TrainingExample, ...TrainingExample[]] | Skip {
  return orSkip(() => {
    const columns = asTheyCame(named, cells);
    const [last, ...others] = repliesOf(columns, cells);
    return [toExample(columns, last(), row), ...others.map((each) => toExample(columns, each(), row))];
  });
}

/** The first of the examples of a row, and how many there are. The others can be built where the first one can: their turns are among its own. */
export function countReplies(
  named: ExampleColumns,
  cells: SourceCells,
  row: number,
): { readonly first: TrainingExample; readonly examples: number } | Skip {
  return orSkip(() => {
    const columns = asTheyCame(named, cells);
    const replies = repliesOf(columns, cells);
    return { first: toExample(columns, replies[0](), row), examples: replies.length };
  });
}

/** The columns by which a row is read: one that a run or a review has left as it came in the turns that it came with. */
function asTheyCame(columns: ExampleColumns, cells: SourceCells): ExampleColumns {
  const { whole, asked, prompt, completion, chosen, reasoning_trace: reasoning } = columns;
  const name = whole ?? asked;
  if (name === undefined || completion === null || chosen !== null) return columns;
  if (!isAsItCame({ name, isWhole: whole !== undefined }, { prompt, completion, reasoning }, cells))
    return columns;
  const { whole: _, asked: __, ...read } = columns;
  return whole === undefined ? read : { ...read, prompt: whole, completion: null, conversations: [whole] };
}

/** The cells of a row up to each of the replies that are trained on, the last one first. */
function repliesOf(
  columns: ExampleColumns,
  cells: SourceCells,
): readonly [() => SourceCells, ...(() => SourceCells)[]] {
  const { prompt, completion, chosen, whole, conversations = conversationsByRole(columns) } = columns;
  const isConversation =
    (completion === null || whole !== undefined) && chosen === null && conversations.includes(prompt);
  const cell = cells.get(prompt) ?? '';
  const turns = columns.replies === 'all' && isConversation ? readConversation(cell) : null;
  if (turns === null) return [() => cells];
  const tools = toolsIn(cell);
  const most = Math.min(REPLIES_OF_A_ROW_MAX, Math.max(1, Math.floor(REPLIES_CHARACTERS_MAX / cell.length)));
  const replies = turns.flatMap(({ role, weight }, at) => (role === 'assistant' && weight !== 0 ? [at] : []));
  const until = (at: number) => new Map(cells).set(prompt, turnsCell(turns.slice(0, at + 1), tools));
  if (completion !== null) {
    if ((cells.get(completion) ?? '').trim() === '') return [() => cells];
    // The last reply stands beside the turns before it, and so do the steps to it.
    const beside = [completion, ...(columns.reasoning_trace === null ? [] : [columns.reasoning_trace])];
    const earlier = replies
      .slice(-most)
      .reverse()
      .slice(0, most - 1);
    return [
      () => cells,
      ...earlier.map((at) => () => beside.reduce((some, name) => some.set(name, null), until(at))),
    ];
  }
  if (replies.length === 0) requireTrained(turns);
  const [last, ...others] = replies
    .slice(-most)
    .reverse()
    .map((at) => () => until(at));
  if (last === undefined) throw new Skipped('no completion');
  return [last, ...others];
}

/** Replies of one conversation that are trained on, counted from its end: each is an example with all turns before it. */
export const REPLIES_OF_A_ROW_MAX = 50;
/** Characters of the examples of one conversation: of a long one fewer replies are trained on. */
const REPLIES_CHARACTERS_MAX = 4_000_000;

function orSkip<Read>(read: () => Read): Read | Skip {
  try {
    return read();
  } catch (error) {
    if (error instanceof Skipped) return { skip: error.message };
    throw error;
  }
}

/** @throws {Skipped} */
function toExample(columns: ExampleColumns, cells: SourceCells, row: number): TrainingExample {
  const { conversations = conversationsByRole(columns) } = columns;
  const textOf = (column: string | null): string => {
    const text = column === null ? '' : (cells.get(column) ?? '');
    return text.trim() === '' ? '' : text;
  };
  const isTurnsIn = (column: string): boolean => conversations.includes(column);
  /** The messages of the prompt, behind those of its history where it is a text. */
  const askedOf = (isAnswer: boolean): ChatMessage[] => {
    const messages = messagesOf(columns.prompt, 'user', isAnswer);
    if (columns.history === undefined || messages.length === 0 || isTurnsIn(columns.prompt)) return messages;
    return [...historyTurns(cells.get(columns.history)).map(toMessage), ...messages];
  };
  const messagesOf = (column: string | null, role: 'user' | 'assistant', isAnswer = true): ChatMessage[] => {
    const text = textOf(column);
    // The answer of an adapted conversation may be a call, in a column of texts.
    const isTurns = (column !== null && isTurnsIn(column)) || (role === 'assistant' && isCallCell(text));
    const turns = isTurns ? readConversation(text) : null;
    if (turns === null) return text === '' ? [] : [{ role, content: text }];
    const isWhole = columns.completion === null && columns.chosen === null;
    return (isAnswer ? requireTrained(isWhole ? untilReply(turns) : turns) : turns).map(toMessage);
  };
  const context = columns.context.flatMap((name) => {
    const text = textOf(name);
    return text === '' ? [] : [{ name, text }];
  });
  const systemPrompt = systemText(textOf(columns.system ?? null));
  const system: ChatMessage | null =
    systemPrompt.trim() === '' ? null : { role: 'system', content: systemPrompt };
  const told = (messages: ChatMessage[]): ChatMessage[] => {
    const asking = withContext(messages, context);
    // A text without a prompt stays one.
    return isText({ messages: asking }) ? asking : [...behindSystem(asking, system)];
  };
  const reasoning = textOf(columns.reasoning_trace);
  const tools = readTools(textOf(columns.tools ?? null), textOf(columns.prompt));
  const rest = {
    row,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(tools === null ? {} : { tools }),
  };
  // A run has written the turns before the answer alone: they may end with an earlier reply.
  const isBefore = columns.whole !== undefined || columns.asked !== undefined;
  const beforeAnswer = (asked: ChatMessage[]) => (isBefore ? asked : splitAnswer(asked).before);
  if (columns.chosen !== null && columns.rejected !== null) {
    const pair = readPair(messagesOf(columns.chosen, 'assistant'), messagesOf(columns.rejected, 'assistant'));
    const messages = joinAsked(beforeAnswer(askedOf(false)), pair.before);
    if (messages.length === 0) throw new Skipped('no prompt');
    const { chosen, rejected } = pair;
    return { ...rest, messages: told(messages), chosen, rejected };
  }
  const own = messagesOf(columns.completion, 'assistant');
  const asked = askedOf(own.length === 0);
  const { before, answer } = splitAnswer(own.length === 0 ? asked : own);
  if (answer === undefined) throw new Skipped('no completion');
  const messages = own.length === 0 ? before : joinAsked(beforeAnswer(asked), before);
  // A text without a prompt: trainers learn all of it.
  const prompt: ChatMessage[] = messages.length === 0 ? [{ role: 'user', content: '' }] : messages;
  return { ...rest, messages: told(prompt), completion: answer };
}

/** Ends the reading of a row; the message is the reason, without the row's text. */
class Skipped extends Error {}

/** Whether an example is a text without a prompt: models cannot be compared on it. */
export function isText({ messages }: Pick<TrainingExample, 'messages'>): boolean {
  return messages.every(({ content }) => content === '');
}

/**
 * The turns of a cell in a column of conversations; null for one that is a text. The column says what a cell is, so that
 * a text which happens to be a JSON array of turns stays a text.
 */
function readConversation(text: string): readonly ChatTurn[] | null {
  if (!startsTurns(text)) return null;
  const turns = readTurns(text);
  if (typeof turns === 'string') throw new Skipped('a conversation that cannot be read');
  return turns;
}

/** The turns up to the last reply that is trained on; results of a call that nobody answers are left out. */
function requireTrained(turns: readonly ChatTurn[]): readonly ChatTurn[] {
  const trained = untilTrained(turns);
  if (trained.length === 0) throw new Skipped('replies of the weight 0 alone');
  return trained.slice(0, trained.findLastIndex(({ role }) => role !== 'tool') + 1);
}

/** The turns of a whole conversation up to its last reply: what its user says then is answered by nobody. All where there is none. */
function untilReply(turns: readonly ChatTurn[]): readonly ChatTurn[] {
  const last = turns.findLastIndex(({ role }) => role === 'assistant');
  return last === -1 ? turns : turns.slice(0, last + 1);
}

/** The tools of a row: those of its column, else those of a prompt that is a request of OpenAI's. */
function readTools(cell: string, prompt: string): NonNullable<TrainingExample['tools']> | null {
  const listed = toolsOf(cell) ?? toolsIn(prompt);
  if (listed === null) return null;
  const tools = declaredTools(listed);
  if (tools === null) throw new Skipped('tools of which one has no name');
  return tools.map((tool) => ({ ...tool }));
}

function toMessage(turn: ChatTurn): ChatMessage {
  const content = turnText(turn);
  const calls = turn.role === 'assistant' ? callsIn(turn) : [];
  if (calls.length > 0) return { role: 'assistant', content, tool_calls: calls };
  // What an answer is about; thoughts beside an answer are no part of it.
  if (turn.role !== 'assistant' && hasOtherParts(turn))
    throw new Skipped('turns with images or other parts that are no text');
  // A tool may return nothing.
  if (turn.role !== 'tool' && content.trim() === '') throw new Skipped('turns without text');
  return { role: turn.role === 'developer' ? 'system' : turn.role, content };
}

function callsIn(turn: ChatTurn): NonNullable<ChatMessage['tool_calls']> {
  const { tool_calls: listed } = turn as { readonly tool_calls?: unknown };
  const calls = callsOf(turn);
  if (calls.length < (Array.isArray(listed) ? listed.length : 0))
    throw new Skipped('calls of tools that cannot be read');
  return calls.map((call) => {
    const { name, arguments: text } = call;
    if (name === '' || argumentsOf(call) === null)
      throw new Skipped('calls whose arguments are no JSON object');
    return { type: 'function', function: { name, arguments: text } };
  });
}

/** A conversation, split before the reply at its end. */
function splitAnswer(messages: readonly ChatMessage[]): { before: ChatMessage[]; answer?: TrainedAnswer } {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return { before: [...messages] };
  const { content, tool_calls } = last;
  return {
    before: messages.slice(0, -1),
    answer: tool_calls === undefined ? content : { content, tool_calls },
  };
}

/** A pair of answers, and the turns in front of them, which both have. */
function readPair(
  better: readonly ChatMessage[],
  worse: readonly ChatMessage[],
): { readonly before: ChatMessage[]; readonly chosen: TrainedAnswer; readonly rejected: TrainedAnswer } {
  const [{ before, answer: chosen }, other] = [splitAnswer(better), splitAnswer(worse)];
  const rejected = other.answer;
  if (chosen === undefined || rejected === undefined) throw new Skipped('no pair of answers');
  if (before.length !== other.before.length || !holdsTurns(before, other.before)) {
    throw new Skipped('two answers to different conversations');
  }
  if (compared(chosen) === compared(rejected)) throw new Skipped('two answers that are the same');
  return { before, chosen, rejected };
}

/** The prompt and the turns in front of its answer, as one conversation. */
function joinAsked(asked: ChatMessage[], before: ChatMessage[]): ChatMessage[] {
  const joined = joinTurns(asked, before);
  if (joined === null) throw new Skipped('a prompt that is not in the conversation of its answer');
  return [...joined];
}

/** An answer, or a message, as a text that others are compared with: white space around it does not count. */
const compared = (said: TrainedAnswer): string =>
  typeof said === 'string' ? said.trim() : JSON.stringify([said.content.trim(), said.tool_calls]);

/** The messages with the context in the last user message, as in adaptation prompts. */
function withContext(messages: ChatMessage[], context: readonly NamedText[]): ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, at) => {
    if (at !== last) return message;
    const { content } = message;
    const isHeld = heldByBlock(content);
    return {
      ...message,
      content: requestWithContext(
        content,
        context.filter((each) => !isHeld(each)),
      ),
    };
  });
}

import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import { type NamedText, requestWithContext } from '#shared/answers/decide/row-material.ts';
import {
  type ChatTurn,
  readTurns,
  startsTurns,
  turnText,
  untilTrained,
} from '#shared/tabular/decide/chat-turns.ts';
import { isCallCell } from '#shared/tabular/decide/forms/tool-calls.ts';
import type { ChatMessage, TrainingExample } from '../schema/training-job.ts';
import type { ExampleColumns } from './record.ts';

/** The reason why a row is skipped, without the row's text. */
export type Skip = { readonly skip: string };

/** The columns of examples. */
export function columnsOfExamples({ context, conversations: _, ...roles }: ExampleColumns): string[] {
  return [...new Set([...Object.values(roles), ...context].filter((name) => name !== null))];
}

/** The columns that hold conversations where nothing is known of their cells: a prompt that has its own answer. */
export function conversationsByRole({ prompt, completion, chosen }: ExampleColumns): string[] {
  return completion === null && chosen === null ? [prompt] : [];
}

/**
 * Converts a row to an example: the prompt with its context and the completion, or the better and the worse answer.
 * Texts stay as they are, with the spaces around them. Cells of conversations are parsed; in a conversation without a
 * completion the last reply is the answer, and turns in front of an answer belong to its prompt. A completion without a
 * prompt is a plain text.
 */
export function readExample(
  columns: ExampleColumns,
  cells: SourceCells,
  row: number,
): TrainingExample | Skip {
  const { conversations = conversationsByRole(columns) } = columns;
  const textOf = (column: string | null): string => {
    const text = column === null ? '' : (cells.get(column) ?? '');
    return text.trim() === '' ? '' : text;
  };
  const messagesOf = (column: string | null, role: 'user' | 'assistant', isAnswer = true): ChatMessage[] => {
    const text = textOf(column);
    const turns = column !== null && conversations.includes(column) ? readConversation(text) : null;
    // The answer of an adapted conversation may be a call, in a column of texts.
    if (turns === null && isAnswer && isCallCell(text)) throw new Skipped(TOOL_TURNS);
    if (turns === null) return text === '' ? [] : [{ role, content: text }];
    return (isAnswer ? requireTrained(turns) : turns).map(toMessage);
  };
  const context = columns.context.flatMap((name) => {
    const text = textOf(name);
    return text === '' ? [] : [{ name, text }];
  });
  const reasoning = textOf(columns.reasoning_trace);
  const rest = { row, ...(reasoning === '' ? {} : { reasoning }) };
  try {
    if (columns.chosen !== null && columns.rejected !== null) {
      const pair = readPair(
        messagesOf(columns.chosen, 'assistant'),
        messagesOf(columns.rejected, 'assistant'),
      );
      const asked = withoutAnswer(messagesOf(columns.prompt, 'user', false));
      const messages = joinTurns(asked, pair.before);
      if (messages.length === 0) throw new Skipped('no prompt');
      const { chosen, rejected } = pair;
      return { ...rest, messages: withContext(messages, context), chosen, rejected };
    }
    const own = messagesOf(columns.completion, 'assistant');
    const asked = messagesOf(columns.prompt, 'user', own.length === 0);
    const { before, answer } = splitAnswer(own.length === 0 ? asked : own);
    if (answer === undefined) throw new Skipped('no completion');
    const messages = own.length === 0 ? before : joinTurns(withoutAnswer(asked), before);
    // A text without a prompt: trainers learn all of it.
    const prompt: ChatMessage[] = messages.length === 0 ? [{ role: 'user', content: '' }] : messages;
    return { ...rest, messages: withContext(prompt, context), completion: answer };
  } catch (error) {
    if (error instanceof Skipped) return { skip: error.message };
    throw error;
  }
}

const TOOL_TURNS = 'turns of tools, or without text';

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

function requireTrained(turns: readonly ChatTurn[]): readonly ChatTurn[] {
  const trained = untilTrained(turns);
  if (trained.length === 0) throw new Skipped('replies of the weight 0 alone');
  return trained;
}

function toMessage(turn: ChatTurn): ChatMessage {
  const content = turnText(turn);
  if (turn.role === 'tool' || content.trim() === '') throw new Skipped(TOOL_TURNS);
  return { role: turn.role === 'developer' ? 'system' : turn.role, content };
}

/** A conversation, split before the reply at its end. */
function splitAnswer(messages: readonly ChatMessage[]): { before: ChatMessage[]; answer?: string } {
  const last = messages.at(-1);
  return last?.role === 'assistant'
    ? { before: messages.slice(0, -1), answer: last.content }
    : { before: [...messages] };
}

/** A pair of answers, and the turns in front of them, which both have. */
function readPair(
  better: readonly ChatMessage[],
  worse: readonly ChatMessage[],
): { readonly before: ChatMessage[]; readonly chosen: string; readonly rejected: string } {
  const [{ before, answer: chosen }, other] = [splitAnswer(better), splitAnswer(worse)];
  const rejected = other.answer;
  if (chosen === undefined || rejected === undefined) throw new Skipped('no pair of answers');
  if (before.length !== other.before.length || !holds(before, other.before)) {
    throw new Skipped('two answers to different conversations');
  }
  if (chosen.trim() === rejected.trim()) throw new Skipped('two answers that are the same');
  return { before, chosen, rejected };
}

/** The prompt and the turns in front of its answer, as one conversation: mostly one of the two contains the other. */
function joinTurns(asked: ChatMessage[], before: ChatMessage[]): ChatMessage[] {
  if (holds(before, asked)) return before;
  if (holds(asked, before)) return asked;
  if (before[0]?.role === 'assistant') return [...asked, ...before];
  throw new Skipped('a prompt that is not in the conversation of its answer');
}

/** Whether messages stand in a conversation, one after the other. */
function holds(conversation: readonly ChatMessage[], part: readonly ChatMessage[]): boolean {
  const isThere = (at: number): boolean =>
    part.every(({ role, content }, n) => {
      const turn = conversation[at + n];
      return turn?.role === role && turn.content.trim() === content.trim();
    });
  return part.length === 0 || conversation.some((_, at) => isThere(at));
}

/** The messages of a conversation, without its final answer. */
const withoutAnswer = (messages: readonly ChatMessage[]): ChatMessage[] => splitAnswer(messages).before;

/** The messages with the context in the last user message, as in adaptation prompts. */
function withContext(messages: ChatMessage[], context: readonly NamedText[]): ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, at) =>
    at === last ? { ...message, content: requestWithContext(message.content, context) } : message,
  );
}

import {
  type ChatTurn,
  isSystemTurn,
  readTurns,
  startsTurns,
  turnText,
  untilTrained,
} from '../chat-turns.ts';
import { callsOf, isCallCell } from './tool-calls.ts';

/**
 * Whether the cell of a prompt or of an answer is read as turns. The column says what a cell is, so that a text which happens to be a
 * JSON array of turns stays a text; but an answer that calls tools is a turn in a column of texts, too.
 * @param isOfTurns whether the cells of the column are conversations
 */
export const isTurnsCell = (text: string, role: 'user' | 'assistant', isOfTurns: boolean): boolean =>
  (isOfTurns && startsTurns(text)) || (role === 'assistant' && isCallCell(text));

/**
 * Reads the cell of a prompt or of an answer as turns; a text is one turn.
 * @returns the turns, none for a blank cell, or a description of the error, without quoting the cell
 */
export function turnsOfCell(
  cell: string | null | undefined,
  role: 'user' | 'assistant',
  isOfTurns: boolean,
): readonly ChatTurn[] | string {
  const text = cell ?? '';
  if (text.trim() === '') return [];
  return isTurnsCell(text, role, isOfTurns) ? readTurns(text) : [{ role, content: text }];
}

/** Turns before a reply, and the reply; null without one. */
export interface SplitTurns {
  readonly before: readonly ChatTurn[];
  readonly reply: ChatTurn | null;
}

/**
 * Joins the turns of a prompt and those of its answer. Turns in front of an answer belong to its prompt. A prompt may end with the
 * reply that its answer is about, and without an answer with its own, as whole conversations do. What follows the last reply that is
 * trained on is left out.
 * @param isBefore whether the prompt is the turns before its answer alone, as runs write them: then its last reply belongs to it
 * @returns a description of the error if the two do not go together
 */
export function joinAnswer(
  asked: readonly ChatTurn[],
  answered: readonly ChatTurn[],
  isBefore = false,
): SplitTurns | string {
  const whole = answered.length === 0 ? asked : answered;
  const trained = untilTrained(whole);
  if (trained.length === 0 && whole.length > 0) return 'has no reply to train on: each has the weight 0';
  const { before, reply } = splitReply(trained);
  if (answered.length === 0) return { before, reply };
  if (reply === null) return 'has an answer without a reply';
  // Results of a call are asked about where an answer follows.
  const isAnswered = !isBefore && asked.at(-1)?.role === 'assistant';
  const joined = joinTurns(isAnswered ? asked.slice(0, -1) : asked, before);
  return joined === null
    ? 'has an answer to another conversation than its prompt'
    : { before: joined, reply };
}

/** Turns, split before the reply that they end with; results of its calls, which nobody answers, are left out behind it. */
function splitReply(turns: readonly ChatTurn[]): SplitTurns {
  const last = turns.findLastIndex(({ role }) => role !== 'tool');
  const reply = turns[last];
  return reply?.role === 'assistant'
    ? { before: turns.slice(0, last), reply }
    : { before: turns, reply: null };
}

/**
 * The prompt and the turns in front of its answer, as one conversation: mostly one of the two contains the other. Null if they do not
 * go together.
 */
export function joinTurns<Turn extends ChatTurn>(
  asked: readonly Turn[],
  before: readonly Turn[],
): readonly Turn[] | null {
  if (holdsTurns(before, asked)) return before;
  if (holdsTurns(asked, before)) return asked;
  return before[0]?.role === 'assistant' ? [...asked, ...before] : null;
}

/** Whether turns stand in a conversation, one after the other. White space around their texts does not count. */
export function holdsTurns(conversation: readonly ChatTurn[], part: readonly ChatTurn[]): boolean {
  return part.length === 0 || `\n${linesOf(conversation)}`.includes(`\n${linesOf(part)}`);
}

/** JSON has no line end of its own, and a text is searched in less time than each place is compared. */
function linesOf(turns: readonly ChatTurn[]): string {
  return turns
    .map((turn) => {
      const calls = callsOf(turn).map(({ name, arguments: given }) => [name, given]);
      const role = isSystemTurn(turn) ? 'system' : turn.role;
      return `${JSON.stringify([role, turnText(turn).trim(), calls])}\n`;
    })
    .join('');
}

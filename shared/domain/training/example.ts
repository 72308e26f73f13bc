import type { ChatMessage, TrainingExample } from '../../schema/training-job.ts';
import { type ChatTurn, readTurns, turnText } from '../adaptation/chat-turns.ts';
import type { SourceCells } from '../adaptation/row-program.ts';
import type { ExampleColumns } from './record.ts';

/** The reason why a row is skipped, without its text. */
export type Skip = { readonly skip: string };

/** The columns that examples are made of. */
export function columnsOfExamples(columns: ExampleColumns): string[] {
  return [...new Set(Object.values(columns).filter((name) => name !== null))];
}

/**
 * Converts a row to an example: the prompt and the completion, or the better and the worse answer. Cells of turns
 * are parsed; a conversation without a completion is answered by its last turn.
 */
export function readExample(
  columns: ExampleColumns,
  cells: SourceCells,
  row: number,
): TrainingExample | Skip {
  const textOf = (column: string | null): string => (column === null ? '' : (cells.get(column) ?? '').trim());
  const prompt = textOf(columns.prompt);
  if (prompt === '') return { skip: 'no prompt' };
  const messages = readMessages(prompt);
  if (messages === null) return { skip: 'turns of tools, or without text' };

  const reasoning = textOf(columns.reasoning_trace);
  const withReasoning = reasoning === '' ? {} : { reasoning };
  if (columns.chosen !== null && columns.rejected !== null) {
    const chosen = answerText(textOf(columns.chosen));
    const rejected = answerText(textOf(columns.rejected));
    if (chosen === '' || rejected === '') return { skip: 'no pair of answers' };
    if (chosen === rejected) return { skip: 'two answers that are the same' };
    const asked = withoutAnswer(messages);
    return asked.length === 0
      ? { skip: 'no prompt' }
      : { row, messages: asked, ...withReasoning, chosen, rejected };
  }
  const own = answerText(textOf(columns.completion));
  const last = messages.at(-1);
  const completion = own === '' && last?.role === 'assistant' ? last.content : own;
  if (completion === '') return { skip: 'no completion' };
  const asked = withoutAnswer(messages);
  return asked.length === 0 ? { skip: 'no prompt' } : { row, messages: asked, ...withReasoning, completion };
}

/** A prompt as messages; null where a turn of it is nothing that a model is asked. */
function readMessages(prompt: string): ChatMessage[] | null {
  if (!prompt.startsWith('[')) return [{ role: 'user', content: prompt }];
  const turns = readTurns(prompt);
  // A prompt may begin with a bracket and be text all the same.
  if (typeof turns === 'string') return [{ role: 'user', content: prompt }];
  const messages = turns.map(toMessage);
  return messages.every((message) => message !== null) ? messages : null;
}

function toMessage(turn: ChatTurn): ChatMessage | null {
  const content = turnText(turn).trim();
  if (turn.role === 'tool' || content === '') return null;
  return { role: turn.role === 'developer' ? 'system' : turn.role, content };
}

/** An answer as text; of turns, the last one's. */
function answerText(text: string): string {
  if (!text.startsWith('[')) return text;
  const turns = readTurns(text);
  const last = typeof turns === 'string' ? undefined : turns.at(-1);
  return last === undefined ? text : turnText(last).trim();
}

/** What is asked of a conversation that may end on the answer. */
function withoutAnswer(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : [...messages];
}

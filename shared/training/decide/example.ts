import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import { type NamedText, requestWithContext } from '#shared/answers/decide/row-material.ts';
import { type ChatTurn, readTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import type { ChatMessage, TrainingExample } from '../schema/training-job.ts';
import type { ExampleColumns } from './record.ts';

/** The reason why a row is skipped, without the row's text. */
export type Skip = { readonly skip: string };

/** The columns of examples. */
export function columnsOfExamples({ context, ...roles }: ExampleColumns): string[] {
  return [...new Set([...Object.values(roles), ...context].filter((name) => name !== null))];
}

/**
 * Converts a row to an example: the prompt with its context and the completion, or the better and the worse answer.
 * Cells of turns are parsed; in a conversation without a completion the last turn is the answer. A completion without a
 * prompt is a plain text.
 */
export function readExample(
  columns: ExampleColumns,
  cells: SourceCells,
  row: number,
): TrainingExample | Skip {
  const textOf = (column: string | null): string => (column === null ? '' : (cells.get(column) ?? '').trim());
  const prompt = textOf(columns.prompt);
  const messages = prompt === '' ? [] : readMessages(prompt);
  if (messages === null) return { skip: 'turns of tools, or without text' };
  const context = columns.context.flatMap((name) => {
    const text = textOf(name);
    return text === '' ? [] : [{ name, text }];
  });

  const reasoning = textOf(columns.reasoning_trace);
  const withReasoning = reasoning === '' ? {} : { reasoning };
  if (columns.chosen !== null && columns.rejected !== null) {
    const chosen = answerText(textOf(columns.chosen));
    const rejected = answerText(textOf(columns.rejected));
    if (chosen === '' || rejected === '') return { skip: 'no pair of answers' };
    if (chosen === rejected) return { skip: 'two answers that are the same' };
    const asked = withContext(withoutAnswer(messages), context);
    return asked.length === 0
      ? { skip: 'no prompt' }
      : { row, messages: asked, ...withReasoning, chosen, rejected };
  }
  const own = answerText(textOf(columns.completion));
  const last = messages.at(-1);
  const completion = own === '' && last?.role === 'assistant' ? last.content : own;
  if (completion === '') return { skip: 'no completion' };
  const asked = withoutAnswer(messages);
  // A text without a prompt: trainers learn all of it.
  if (asked.length === 0) asked.push({ role: 'user', content: '' });
  return { row, messages: withContext(asked, context), ...withReasoning, completion };
}

/** Whether an example is a text without a prompt: models cannot be compared on it. */
export function isText({ messages }: Pick<TrainingExample, 'messages'>): boolean {
  return messages.every(({ content }) => content === '');
}

/** A prompt as messages; null if one of its turns has an invalid role for a model's input. */
function readMessages(prompt: string): ChatMessage[] | null {
  if (!prompt.startsWith('[')) return [{ role: 'user', content: prompt }];
  const turns = readTurns(prompt);
  // A text prompt may start with a bracket too.
  if (typeof turns === 'string') return [{ role: 'user', content: prompt }];
  const messages = turns.map(toMessage);
  return messages.every((message) => message !== null) ? messages : null;
}

function toMessage(turn: ChatTurn): ChatMessage | null {
  const content = turnText(turn).trim();
  if (turn.role === 'tool' || content === '') return null;
  return { role: turn.role === 'developer' ? 'system' : turn.role, content };
}

/** An answer as text; for turns, the last one. */
function answerText(text: string): string {
  if (!text.startsWith('[')) return text;
  const turns = readTurns(text);
  const last = typeof turns === 'string' ? undefined : turns.at(-1);
  return last === undefined ? text : turnText(last).trim();
}

/** The messages of a conversation, without its final answer. */
function withoutAnswer(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : [...messages];
}

/** The messages with the context in the last user message, as in adaptation prompts. */
function withContext(messages: ChatMessage[], context: readonly NamedText[]): ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, at) =>
    at === last ? { ...message, content: requestWithContext(message.content, context) } : message,
  );
}

import type { ChatTurn } from '../chat-turns.ts';
import { nestsWithin } from '../measure-json.ts';

/** The column in which LLaMA-Factory's Alpaca has the turns before the instruction. */
export const HISTORY = 'history';

/** The turns of such a cell, a list of pairs of a question and its answer; none of a cell that is anything else. */
export function historyTurns(cell: string | null | undefined): ChatTurn[] {
  const text = cell ?? '';
  if (!text.trimStart().startsWith('[') || !nestsWithin(text)) return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || !value.every(isPair)) return [];
    return value.flatMap(([question, answer]): ChatTurn[] => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ]);
  } catch {
    return [];
  }
}

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string');

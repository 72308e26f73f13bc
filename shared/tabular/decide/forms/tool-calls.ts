import { type ChatTurn, readTurns } from '../chat-turns.ts';

/** A call of a tool in a turn; its arguments are JSON as a text. */
export interface ToolCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments: string;
}

/** The calls of a turn, in their order; empty if it has none, or none that can be read. */
export function callsOf(turn: ChatTurn): ToolCall[] {
  const { tool_calls: calls } = turn as { readonly tool_calls?: unknown };
  return Array.isArray(calls) ? calls.flatMap(readCall) : [];
}

function readCall(call: unknown): ToolCall[] {
  if (typeof call !== 'object' || call === null) return [];
  const { id, function: called = call } = call as { readonly id?: unknown; readonly function?: unknown };
  if (typeof called !== 'object' || called === null) return [];
  const { name, arguments: given = {} } = called as { readonly name?: unknown; readonly arguments?: unknown };
  if (typeof name !== 'string') return [];
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return [{ id: typeof id === 'string' ? id : null, name, arguments: text }];
}

/** The tools that a row declares: the list in a cell, as JSON or as a text of JSON; null if there is none. */
export function toolsOf(cell: string | null | undefined): readonly unknown[] | null {
  let value: unknown = cell ?? '';
  for (let depth = 0; depth < 2 && typeof value === 'string'; depth += 1) {
    if (value.trim() === '') return null;
    try {
      value = JSON.parse(value);
    } catch {
      return null;
    }
  }
  return Array.isArray(value) && value.length > 0 ? value : null;
}

/** The cell of an answer that is a call: a list of its one turn. */
export const callCell = (turn: ChatTurn): string => JSON.stringify([turn]);

/** Whether the cell of an answer is a call, as `callCell` writes it. */
export function isCallCell(text: string): boolean {
  if (!text.startsWith('[{') || !text.includes('"tool_calls"')) return false;
  const turns = readTurns(text);
  const [turn, ...others] = typeof turns === 'string' ? [] : turns;
  return turn?.role === 'assistant' && others.length === 0 && callsOf(turn).length > 0;
}

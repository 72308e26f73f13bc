import type { ChatTurn } from '#shared/tabular/decide/chat-turns.ts';
import type { ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import { historyTurns } from '#shared/tabular/decide/forms/history.ts';
import { joinAnswer, turnsOfCell } from '#shared/tabular/decide/forms/join-turns.ts';
import { toolsIn, turnsCell } from '#shared/tabular/decide/forms/tool-calls.ts';
import type { CombineSource, Role } from './source.ts';

/** A column of texts as one of conversations, of the given type: a prompt stands behind the turns in a column before it. */
export function asConversation(
  column: ExportColumn,
  role: Role,
  { columns, before: { history } = {} }: CombineSource,
  type: string,
): ExportColumn {
  const speaker = role === 'prompt' ? 'user' : 'assistant';
  const earlierColumns = role === 'prompt' ? columns.filter(({ name }) => name === history) : [];
  const cell = ([text = null, earlier = null]: readonly (string | null)[]): string => {
    if (text === null) return 'null';
    const turns = [...historyTurns(earlier), ...turnsOrText(text, speaker, false)];
    return turns.length === 0 ? 'null' : cellOf(turns, null, type);
  };
  return { name: column.name, type, composed: { of: [column, ...earlierColumns], cell } };
}

/**
 * A column of the conversations that the prompts of a source and their answers make, of the given type: those that are trained on,
 * behind the turns in a column before the prompts.
 */
export function asChat(
  name: string,
  { columns, roles, conversations, turns, before: { history } = {} }: CombineSource,
  type: string,
): ExportColumn {
  const own = turns?.isWhole === false ? turns.name : undefined;
  const named = [roles.prompt, roles.completion, history, own].map((role) =>
    columns.find((column) => column.name === role),
  );
  const places = named.map((column, n) =>
    column === undefined ? -1 : named.slice(0, n).filter(Boolean).length,
  );
  const isOfTurns = (role: string | undefined): boolean => role !== undefined && conversations.includes(role);
  const areTurns = isOfTurns(roles.prompt);
  const cell = (texts: readonly (string | null)[]): string => {
    const [asked = null, answer = null, earlier = null, came = null] = places.map((at) => texts[at] ?? null);
    const before = areTurns || asked === null ? [] : historyTurns(earlier);
    const prompt = asked === null ? [] : [...before, ...turnsOrText(asked, 'user', areTurns)];
    const answered = answer === null ? [] : turnsOrText(answer, 'assistant', isOfTurns(roles.completion));
    // What a run has written stands before its answer alone; of a row that it has not read the prompt is as it came.
    const isBefore = turns !== undefined && (turns.isWhole || asked !== came);
    const joined = joinAnswer(prompt, answered, isBefore);
    const all =
      typeof joined === 'string'
        ? [...prompt, ...answered]
        : [...joined.before, ...(joined.reply === null ? [] : [joined.reply])];
    const tools = asked !== null && areTurns ? toolsIn(asked) : null;
    return all.length === 0 ? 'null' : cellOf(all, tools, type);
  };
  return { name, type, composed: { of: named.filter((column) => column !== undefined), cell } };
}

/** The turns of a cell; of one that cannot be read, its text. */
function turnsOrText(text: string, role: 'user' | 'assistant', isOfTurns: boolean): readonly ChatTurn[] {
  const turns = turnsOfCell(text, role, isOfTurns);
  return typeof turns === 'string' ? [{ role, content: text }] : turns;
}

/** The JSON text of a cell of turns: in a column of texts it is a text, as in adapted rows. */
function cellOf(turns: readonly ChatTurn[], tools: readonly unknown[] | null, type: string): string {
  const text = turnsCell(turns, tools);
  return type === 'VARCHAR' ? JSON.stringify(text) : text;
}

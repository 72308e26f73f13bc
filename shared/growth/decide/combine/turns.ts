import { readTurns } from '#shared/tabular/decide/chat-turns.ts';
import type { ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import { isCallCell, toolsIn } from '#shared/tabular/decide/forms/tool-calls.ts';
import type { CombineSource, Role } from './source.ts';

/** A column of texts as one of conversations of one turn, of the given type. */
export function asConversation(column: ExportColumn, role: Role, type: string): ExportColumn {
  const speaker = role === 'prompt' ? 'user' : 'assistant';
  const cell = ([text]: readonly (string | null)[]): string =>
    text == null ? 'null' : cellOf([{ role: speaker, content: text }], type);
  return { name: column.name, type, composed: { of: [column], cell } };
}

/** A column of the conversations that the prompts of a source and their answers make, of the given type. */
export function asChat(
  name: string,
  { columns, roles, conversations }: CombineSource,
  type: string,
): ExportColumn {
  const of = [roles.prompt, roles.completion].flatMap((role) =>
    columns.filter((column) => column.name === role),
  );
  const isOfTurns = roles.prompt !== undefined && conversations.includes(roles.prompt);
  const cell = ([asked = null, answer = null]: readonly (string | null)[]): string => {
    const turns = asked !== null && isOfTurns ? readTurns(asked) : null;
    const before = Array.isArray(turns) ? turns : asked === null ? [] : [{ role: 'user', content: asked }];
    const reply = answer === null ? [] : replyOf(answer);
    // A prompt may end with the reply that its answer is about.
    const isAnswered = reply.length > 0 && before.at(-1)?.role === 'assistant';
    const all = [...(isAnswered ? before.slice(0, -1) : before), ...reply];
    const tools = asked !== null && isOfTurns ? toolsIn(asked) : null;
    return all.length === 0 ? 'null' : cellOf(tools === null ? all : { messages: all, tools }, type);
  };
  return { name, type, composed: { of, cell } };
}

/** The turns of an answer: a call of tools is one already. */
function replyOf(answer: string): object[] {
  const turns = isCallCell(answer) ? readTurns(answer) : null;
  return Array.isArray(turns) ? turns : [{ role: 'assistant', content: answer }];
}

/** The JSON text of a cell of turns: in a column of texts it is a text, as in adapted rows. */
function cellOf(turns: object, type: string): string {
  const text = JSON.stringify(turns);
  return type === 'VARCHAR' ? JSON.stringify(text) : text;
}

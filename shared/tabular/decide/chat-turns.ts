/** Roles that a turn may have: those of chat-completion APIs. */
export const TURN_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type TurnRole = (typeof TURN_ROLES)[number];

/** A turn as stored in its cell; other fields than role and content (names, tool calls) are kept. */
export interface ChatTurn {
  readonly role: TurnRole;
  readonly content?: unknown;
}

/**
 * Reads a cell of turns: a JSON array of `{role, content}`, where content is text, a list of parts, or null if there
 * are tool calls.
 * @returns the turns, or a description of the error, without quoting the cell
 */
export function readTurns(text: string): ChatTurn[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not a JSON array of turns';
  }
  if (!Array.isArray(value)) return 'is not a JSON array of turns';
  if (value.length === 0) return 'has no turns';
  for (const [index, turn] of value.entries()) {
    const problem = problemOf(turn);
    if (problem !== null) return `has a turn (number ${index + 1}) that ${problem}`;
  }
  return value as ChatTurn[];
}

function problemOf(turn: unknown): string | null {
  if (typeof turn !== 'object' || turn === null || Array.isArray(turn)) return 'is no object';
  const { role, content } = turn as { role?: unknown; content?: unknown };
  if (role === undefined) return 'has no role';
  if (!TURN_ROLES.includes(role as TurnRole)) return `has a role other than ${TURN_ROLES.join(', ')}`;
  const isParts =
    Array.isArray(content) && content.every((part) => typeof part === 'object' && part !== null);
  if (typeof content === 'string' || isParts) return null;
  if ((content === null || content === undefined) && role === 'assistant') return null;
  return 'has a content that is neither text nor a list of parts';
}

/** The text of a turn; of a list of parts, that of its text parts. */
export function turnText({ content }: ChatTurn): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: { text?: unknown }) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

/** The turn with another text; its other parts (images) stay. */
export function withText(turn: ChatTurn, text: string): ChatTurn {
  if (!Array.isArray(turn.content)) return { ...turn, content: text };
  const others = turn.content.filter((part: { text?: unknown }) => typeof part.text !== 'string');
  return { ...turn, content: [...others, { type: 'text', text }] };
}

import { wordsOf } from '#shared/answers/decide/words.ts';
import { type ChatTurn, readTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import { parseWithin } from '#shared/tabular/decide/measure-json.ts';
import { buildRawObject, type RawCell, splitRawObject } from '#shared/tabular/decide/raw-object.ts';

type Translate = (text: string) => Promise<string>;

/**
 * Translates the content of each turn of a conversation; roles, names and tool outputs stay. A cell that is an object stays one: a
 * request with its `messages`, a single turn of ShareGPT, and data, whose texts of several words are translated.
 */
export async function translateTurns(text: string, translate: Translate): Promise<string> {
  const turns = readTurns(text);
  const members = membersOf(text);
  if (typeof turns === 'string') return members === null ? translate(text) : translateData(text, translate);
  const translated: ChatTurn[] = [];
  for (const turn of turns)
    translated.push(turn.role === 'tool' ? turn : await translateTurn(turn, translate));
  return members === null ? JSON.stringify(translated) : inFormOf(members, translated);
}

/** The members of a text that is a JSON object; null for another. */
function membersOf(text: string): readonly RawCell[] | null {
  return text.trimStart().startsWith('{') && parseWithin(text) !== undefined ? splitRawObject(text) : null;
}

/** Translated turns in the form of the object that they were read from. */
function inFormOf(members: readonly RawCell[], turns: readonly ChatTurn[]): string {
  const isRequest = members.some(([name]) => name === 'messages');
  const [turn] = turns;
  // The value of a call is data.
  const value = typeof turn?.content === 'string' ? JSON.stringify(turnText(turn)) : null;
  return buildRawObject(
    members.map(([name, raw]): RawCell => {
      if (isRequest) return [name, name === 'messages' ? JSON.stringify(turns) : raw];
      return [name, name === 'value' ? (value ?? raw) : raw];
    }),
  );
}

/** Fewest words of a text in data that is a text of its own: shorter ones are mostly names and labels. */
const PROSE_WORDS_MIN = 3;

/** The JSON of data with its prose translated; all else, numbers of any length too, is byte for byte what it was. */
async function translateData(json: string, translate: Translate): Promise<string> {
  const raw = json.trim();
  if (raw.startsWith('"')) {
    const text = JSON.parse(raw) as string;
    return wordsOf(text).length < PROSE_WORDS_MIN ? raw : JSON.stringify(await translate(text));
  }
  if (raw.startsWith('{')) {
    const members: RawCell[] = [];
    for (const [name, member] of splitRawObject(raw))
      members.push([name, await translateData(member, translate)]);
    return buildRawObject(members);
  }
  if (!raw.startsWith('[') || !raw.includes('"')) return raw;
  const items: string[] = [];
  for (const item of JSON.parse(raw) as readonly unknown[])
    items.push(await translateData(JSON.stringify(item), translate));
  return `[${items.join(',')}]`;
}

async function translateTurn(turn: ChatTurn, translate: Translate): Promise<ChatTurn> {
  const { content } = turn;
  if (typeof content === 'string') {
    return content.trim() === '' ? turn : { ...turn, content: await translate(content) };
  }
  if (!Array.isArray(content)) return turn;
  const parts: unknown[] = [];
  for (const part of content as { readonly text?: unknown }[]) {
    const { text } = part;
    const isText = typeof text === 'string' && text.trim() !== '';
    parts.push(isText ? { ...part, text: await translate(text) } : part);
  }
  return { ...turn, content: parts };
}

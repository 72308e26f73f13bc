import { wordsOf } from '#shared/answers/decide/words.ts';
import { type ChatTurn, readTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import { parseWithin } from '#shared/tabular/decide/measure-json.ts';
import { buildRawObject, splitRawArray, splitRawObject } from '#shared/tabular/decide/raw-object.ts';

type Translate = (text: string) => Promise<string>;

/**
 * Translates the content of each turn of a conversation, and the reasoning before it; roles, names and tool outputs stay. A cell keeps its form: that of a
 * conversation, of a request with its `messages`, of a single turn of ShareGPT, and of data, whose texts of several words are
 * translated. All else, numbers of any length too, is byte for byte what it was, but for whitespace between values.
 * @param wordsMin fewest words of a text in data that is translated
 */
export async function translateTurns(
  text: string,
  translate: Translate,
  wordsMin: number = PROSE_WORDS_MIN,
): Promise<string> {
  const turns = readTurns(text);
  const isTurns = typeof turns !== 'string';
  if (!isJson(text)) return isTurns ? translateRendered(text, turns, translate) : translate(text);
  if (!isTurns) return translateData(text, translate, wordsMin);
  if (text.trimStart().startsWith('[')) return translateTurnsOf(text, translate);
  const isRequest = splitRawObject(text).some(([name]) => name === 'messages');
  if (!isRequest) return translateTurn(text, translate);
  return mapMembers(text, async (name, raw) =>
    // Of a repeated key the last one was read.
    name === 'messages' && raw.startsWith('[') ? translateTurnsOf(raw, translate) : raw,
  );
}

/**
 * A conversation that a chat template has rendered, with the texts of its turns translated between its marks; a list of turns where it
 * would not be read as these.
 */
async function translateRendered(
  text: string,
  turns: readonly ChatTurn[],
  translate: Translate,
): Promise<string> {
  const translated: ChatTurn[] = JSON.parse(await translateTurnsOf(JSON.stringify(turns), translate));
  let rendered = '';
  let at = 0;
  for (const [n, turn] of turns.entries()) {
    const said = turnText(turn);
    const start = text.indexOf(said, at);
    if (start === -1) return JSON.stringify(translated);
    rendered += text.slice(at, start) + turnText(translated[n] as ChatTurn);
    at = start + said.length;
  }
  rendered += text.slice(at);
  const read = readTurns(rendered);
  const isRead = typeof read !== 'string' && JSON.stringify(read) === JSON.stringify(translated);
  return isRead ? rendered : JSON.stringify(translated);
}

/** Whether a text is a JSON array or object. */
const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && parseWithin(text) !== undefined;

async function mapMembers(
  json: string,
  change: (name: string, raw: string) => Promise<string>,
): Promise<string> {
  const members: [string, string][] = [];
  for (const [name, raw] of splitRawObject(json)) members.push([name, await change(name, raw)]);
  return buildRawObject(members);
}

async function mapItems(json: string, change: (raw: string) => Promise<string>): Promise<string> {
  const items: string[] = [];
  for (const raw of splitRawArray(json)) items.push(await change(raw));
  return `[${items.join(',')}]`;
}

const translateTurnsOf = (json: string, translate: Translate): Promise<string> =>
  mapItems(json, (turn) => translateTurn(turn, translate));

/** The members in which chat-completion APIs return what a model thought before it replied: DeepSeek's and vLLM's, OpenRouter's, Ollama's. */
const REASONING: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning', 'thinking']);

/** The JSON of a turn of any form with its text translated, and its reasoning; calls and results of tools are data. */
async function translateTurn(json: string, translate: Translate): Promise<string> {
  const read = readTurns(`[${json}]`);
  const turn: ChatTurn | undefined = typeof read === 'string' ? undefined : read.at(-1);
  if (turn === undefined || turn.role === 'tool') return json;
  const isSpoken = splitRawObject(json).every(([name]) => name !== 'role');
  const said = turn.content == null ? null : isSpoken ? 'value' : 'content';
  return mapMembers(json, async (name, raw) => {
    if (name === said) return translateContent(raw, translate);
    const isThought = turn.role === 'assistant' && REASONING.has(name) && raw.startsWith('"');
    return isThought ? translateString(raw, translate) : raw;
  });
}

/** The JSON of a content, a text or a list of parts, with its texts translated. */
async function translateContent(json: string, translate: Translate): Promise<string> {
  if (json.startsWith('"')) return translateString(json, translate);
  if (!json.startsWith('[')) return json;
  return mapItems(json, async (part) => {
    if (!part.startsWith('{')) return part;
    return mapMembers(part, async (name, raw) =>
      name === 'text' && raw.startsWith('"') ? translateString(raw, translate) : raw,
    );
  });
}

async function translateString(json: string, translate: Translate, wordsMin = 0): Promise<string> {
  const text = JSON.parse(json) as string;
  const isKept = text.trim() === '' || (wordsMin > 0 && wordsOf(text).length < wordsMin);
  return isKept ? json : JSON.stringify(await translate(text));
}

/** Fewest words of a text in data that is a text of its own: shorter ones are mostly names and labels. */
const PROSE_WORDS_MIN = 3;

/**
 * The JSON of data with its prose translated, in one pass over its strings: its depth costs nothing. A string before a
 * colon is a name.
 */
async function translateData(json: string, translate: Translate, wordsMin: number): Promise<string> {
  const raw = json.trim();
  const parts: string[] = [];
  let at = 0;
  for (let start = raw.indexOf('"'); start !== -1; start = raw.indexOf('"', at)) {
    parts.push(withoutSpace(raw.slice(at, start)));
    at = endOfString(raw, start);
    const string = raw.slice(start, at);
    NEXT_COLON.lastIndex = at;
    parts.push(NEXT_COLON.test(raw) ? string : await translateString(string, translate, wordsMin));
  }
  return parts.length === 0 ? raw : parts.join('') + withoutSpace(raw.slice(at));
}

const NEXT_COLON = /\s*:/y;

const withoutSpace = (json: string): string => json.replaceAll(/[ \t\n\r]+/g, '');

/** The place behind a string of valid JSON, of which `start` is the first quotation mark. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  for (; isEscaped(json, end); end = json.indexOf('"', end + 1));
  return end + 1;
}

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

import { readCells } from '#shared/answers/decide/read-cells.ts';
import { requestWithContext } from '#shared/answers/decide/row-material.ts';
import { type ChatTurn, readTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import type { AugmentRunRequest } from './augment-request.ts';

type Asked = Pick<AugmentRunRequest, 'asks' | 'mapping' | 'conversations'>;

/**
 * The prompts of a row, from every column that has one; of a conversation the first message of the user, of the turns before an
 * answer the last one.
 */
export function askedTexts(line: string, { asks, mapping, conversations }: Asked): string[] {
  return [...readCells(line, asks)]
    .map(([name, text]) => {
      if (text === null) return '';
      if (name === mapping.chat) return firstExchange(text).prompt;
      return conversations.includes(name) ? lastMessage(text) : text;
    })
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** What the prompts of a row are about: its context, as `requestWithContext` puts it behind them. Empty without one. */
export function contextText(line: string, { context }: Pick<AugmentRunRequest, 'context'>): string {
  // Of millions of rows without one none is parsed once more.
  if (context.length === 0) return '';
  const texts = [...readCells(line, context)].flatMap(([name, text]) =>
    text === null || text.trim() === '' ? [] : [{ name, text }],
  );
  return requestWithContext('', texts).trim();
}

/** A prompt with what it is about behind it, as `contextText` tells it. */
export const withContextText = (prompt: string, context: string): string =>
  context === '' ? prompt : `${prompt}\n${context}`;

/** The answer to the first of a row's prompts; of a conversation the reply to its first message. Empty without one. */
export function answeredText(line: string, { mapping }: Pick<AugmentRunRequest, 'mapping'>): string {
  const { chat, completion = mapping.chosen } = mapping;
  const answer = completion === undefined ? '' : (readCells(line, [completion]).get(completion) ?? '');
  // A dataset of conversations to which pairs are added has its answers in the conversations.
  if (answer !== '' || chat === undefined) return answer;
  return firstExchange(readCells(line, [chat]).get(chat) ?? '').reply;
}

const said = (turn: ChatTurn | undefined): string => (turn === undefined ? '' : turnText(turn));

/** The first message of the user in a conversation, and the text that the assistant replies. */
function firstExchange(text: string): { readonly prompt: string; readonly reply: string } {
  const turns = readTurns(text);
  if (typeof turns === 'string') return { prompt: '', reply: '' };
  const at = turns.findIndex(({ role }) => role === 'user');
  const reply = turns.slice(at + 1).find((turn) => turn.role === 'assistant' && said(turn).trim() !== '');
  return at === -1 ? { prompt: '', reply: '' } : { prompt: said(turns[at]), reply: said(reply) };
}

/** The last message of the user in turns; a text that is none stays. */
function lastMessage(text: string): string {
  const turns = readTurns(text);
  return typeof turns === 'string' ? text : said(turns.findLast(({ role }) => role === 'user'));
}

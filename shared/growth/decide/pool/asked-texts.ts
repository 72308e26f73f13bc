import { readCells } from '#shared/answers/decide/read-cells.ts';
import { type ChatTurn, readTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import type { AugmentRunRequest } from './augment-request.ts';

/** The prompts of a row, from every column that has one; of a conversation the first message of the user. */
export function askedTexts(
  line: string,
  { asks, mapping }: Pick<AugmentRunRequest, 'asks' | 'mapping'>,
): string[] {
  return [...readCells(line, asks)]
    .map(([name, text]) => {
      if (text === null || name !== mapping.chat) return text ?? '';
      return firstExchange(text).prompt;
    })
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** The answer to the first of a row's prompts; of a conversation the reply to its first message. Empty without one. */
export function answeredText(line: string, { mapping }: Pick<AugmentRunRequest, 'mapping'>): string {
  const answer = mapping.completion ?? mapping.chosen;
  if (answer !== undefined) return readCells(line, [answer]).get(answer) ?? '';
  if (mapping.chat === undefined) return '';
  return firstExchange(readCells(line, [mapping.chat]).get(mapping.chat) ?? '').reply;
}

/** The first message of the user in a conversation, and the text that the assistant replies. */
function firstExchange(text: string): { readonly prompt: string; readonly reply: string } {
  const turns = readTurns(text);
  if (typeof turns === 'string') return { prompt: '', reply: '' };
  const at = turns.findIndex(({ role }) => role === 'user');
  const said = (turn: ChatTurn | undefined): string => (turn === undefined ? '' : turnText(turn));
  const reply = turns.slice(at + 1).find((turn) => turn.role === 'assistant' && said(turn).trim() !== '');
  return at === -1 ? { prompt: '', reply: '' } : { prompt: said(turns[at]), reply: said(reply) };
}

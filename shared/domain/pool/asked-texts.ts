import { readTurns, turnText } from '../adaptation/chat-turns.ts';
import { readCells } from '../adaptation/row-program.ts';
import type { AugmentRunRequest } from './augment-request.ts';

/** The prompts of a row, from every column that has one; of a conversation the first message of the user. */
export function askedTexts(
  line: string,
  { asks, mapping }: Pick<AugmentRunRequest, 'asks' | 'mapping'>,
): string[] {
  return [...readCells(line, asks)]
    .map(([name, text]) => {
      if (text === null || name !== mapping.chat) return text ?? '';
      const turns = readTurns(text);
      const first = typeof turns === 'string' ? undefined : turns.find(({ role }) => role === 'user');
      return first === undefined ? '' : turnText(first);
    })
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

import { readTurns, turnText } from '../adaptation/chat-turns.ts';
import { readCells } from '../adaptation/row-program.ts';
import type { AugmentRunRequest } from './augment-request.ts';

/** What a row asks, by every column that says it; of a conversation what the user says first. */
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

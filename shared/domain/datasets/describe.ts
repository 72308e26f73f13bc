import { FENCE_RULE, fence } from '../model/fence.ts';
import type { GenerateRequest } from '../model/port.ts';

/** Rows that the model is shown. */
export const DESCRIBE_ROWS = 10;
const ROW_CHARACTERS_MAX = 400;
const DESCRIPTION_CHARACTERS_MAX = 300;

/** Asks for one sentence on a dataset; column names and rows are fenced, since both come from the file. */
export function describePrompt(columns: readonly string[], lines: readonly string[]): GenerateRequest {
  return {
    messages: [
      {
        role: 'system',
        content: `You describe datasets. Answer with one plain sentence of at most 30 words that says what the rows are about. ${FENCE_RULE}`,
      },
      {
        role: 'user',
        content: fence([
          { name: 'columns', text: columns.join(', ') },
          { name: 'rows', text: lines.map((line) => line.slice(0, ROW_CHARACTERS_MAX)).join('\n') },
        ]),
      },
    ],
    maxOutputTokens: 80,
    temperature: 0,
  };
}

/** The first sentence of what the model answered; null where there is none. */
export function readDescription(text: string): string | null {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line];
  return sentence === '' ? null : sentence.slice(0, DESCRIPTION_CHARACTERS_MAX);
}

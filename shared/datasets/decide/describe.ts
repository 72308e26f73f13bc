import { FENCE_RULE, fence, repeatsMarks } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';

/** Number of rows in the prompt. */
export const DESCRIBE_ROWS = 10;
const ROW_CHARACTERS_MAX = 400;
const DESCRIPTION_CHARACTERS_MAX = 300;

/**
 * Asks for one sentence that describes a dataset; column names and rows are fenced, because both come from the file.
 */
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

/** JSON, table rows and names of the prompt's blocks, which no plain sentence contains. */
const NO_SENTENCE = /[{}[\]|]|\\n|"\s*:|^(?:columns|rows)\b.*:|\bdata-[0-9a-f]{6}\b/i;
/** Maximum number of consecutive words of a row in a description: enough for a name. */
const COPIED_WORDS_MAX = 6;
/** The same in characters, for scripts without spaces. */
const COPIED_CHARACTERS_MAX = 12;

/**
 * The first sentence of the model's output if it describes the rows; null if there is none, or if it repeats the
 * prompt's marks or a row, as weak models do.
 */
export function readDescription(text: string, lines: readonly string[]): string | null {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line];
  const cut = sentence.slice(0, DESCRIPTION_CHARACTERS_MAX);
  const isSentence = /\p{L}{2}(?:\s\p{L}|[.!?]$)/u.test(cut) && !NO_SENTENCE.test(cut) && !repeatsMarks(cut);
  return isSentence && !copiesRow(cut, lines) ? cut : null;
}

/** Whether a sentence copies more than a few consecutive words of one of the rows in the prompt. */
function copiesRow(sentence: string, lines: readonly string[]): boolean {
  const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Scripts without spaces are compared by character, and no long number of a row may appear.
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  const told = plain(sentence).join('');
  const whole = lines
    .slice(0, DESCRIBE_ROWS)
    .map((line) => plain(line.slice(0, ROW_CHARACTERS_MAX)).join(''));
  if (unspaced.test(sentence)) {
    for (let at = 0; at + COPIED_CHARACTERS_MAX < told.length; at += 1) {
      const run = told.slice(at, at + COPIED_CHARACTERS_MAX + 1);
      if (whole.some((line) => line.includes(run))) return true;
    }
  }
  if (
    // At most 300 characters.
    (sentence.match(/\d{5,}|[\w.+-]+@[\w.-]+/g) ?? []).some((part) =>
      lines.some((line) => line.includes(part)),
    )
  )
    return true;
  const words = plain(sentence);
  const shown = lines
    .slice(0, DESCRIBE_ROWS)
    .map((line) => ` ${plain(line.slice(0, ROW_CHARACTERS_MAX)).join(' ')} `);
  for (let at = 0; at + COPIED_WORDS_MAX < words.length; at += 1) {
    const run = ` ${words.slice(at, at + COPIED_WORDS_MAX + 1).join(' ')} `;
    if (shown.some((line) => line.includes(run))) return true;
  }
  return false;
}

import { describe, expect, test } from 'vitest';
import { comparedText } from '#shared/answers/decide/deduplication/compared-text.ts';
import { DuplicateIndex } from '#shared/answers/decide/deduplication/duplicate-index.ts';
import { RECORD_WORDS, Signer } from '#shared/answers/decide/deduplication/signature.ts';
import type { RowMaterial } from '#shared/answers/decide/row-material.ts';

const GUIDE =
  'You are a helpful assistant of a furniture shop. Answer kindly, and in short sentences. '.repeat(20);
const MORE = 'Can you explain that in more detail?';

const rowOf = (
  turns: readonly (readonly ['system' | 'user' | 'assistant', string])[],
  context = '',
): RowMaterial => ({
  history: turns.map(([role, text]) => ({ role, text })),
  prompt: MORE,
  completion: '',
  context: context === '' ? [] : [{ name: 'about', text: context }],
  image: null,
  promptCell: (text) => text,
});

/** Whether the second row repeats the first. */
function isRepeated(first: RowMaterial, second: RowMaterial): boolean {
  const signer = new Signer();
  const index = new DuplicateIndex(2);
  const found = [first, second].map((material, row) => {
    const record = new Uint32Array(RECORD_WORDS);
    signer.sign(comparedText(material, 'prompt_and_completion'), record, 0);
    return index.add(row, record, 0);
  });
  return found[1] !== null;
}

describe.each([
  [
    'beside earlier turns',
    (text: string, system: string) =>
      rowOf([
        ['system', system],
        ['user', text],
      ]),
  ],
  ['beside a context', (text: string, system: string) => rowOf([['system', system]], text)],
])('a system prompt %s', (_, row) => {
  const beds = 'Which of the beds that you sell are suited for tall people with a bad back?';
  const covers = 'How do I wash the cover of the grey sofa that I bought last summer?';

  test('rows do not repeat each other where a long system prompt is all that they share', () => {
    expect(isRepeated(row(beds, GUIDE), row(covers, GUIDE))).toBe(false);
  });

  test('rows repeat each other where the rest is nearly the same', () => {
    expect(isRepeated(row(beds, GUIDE), row(beds.replace('?', '!'), GUIDE))).toBe(true);
  });

  test('rows do not repeat each other where their system prompts differ', () => {
    expect(isRepeated(row(beds, GUIDE), row(beds, `${GUIDE} Today is Monday.`))).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { termsOf } from '#shared/responses/decide/retrieval/terms.ts';

it('terms of a text are its words and numbers, without case, punctuation and marks between words', () => {
  expect(termsOf('Don’t PANIC: snake_case, l’Été, C++ 3.14!')).toEqual([
    'don',
    't',
    'panic',
    'snake',
    'case',
    'l',
    'été',
    'c',
    '3',
    '14',
  ]);
});

it('terms of a text are the same for every form that Unicode has for a character', () => {
  expect(termsOf('ﬁne ＡＢＣ e\u0301te\u0301')).toEqual(termsOf('fine abc \u00e9t\u00e9'));
});

it('terms of a text keep vowel signs and words of other scripts whole', () => {
  expect(termsOf('हिन्दी Ελλάδα Привет 한국어를')).toEqual(['हिन्दी', 'ελλάδα', 'привет', '한국어를']);
});

it('terms of a text are characters and pairs of them where the script has no spaces, so that a word is found in a sentence', () => {
  expect(termsOf('北京大学')).toEqual(['北', '京', '北京', '大', '京大', '学', '大学']);
  expect(termsOf('2024年スーパー')).toContain('スー');
  const sentence = new Set(termsOf('彼は東京タワーに登った。'));
  for (const term of termsOf('東京タワー')) expect(sentence).toContain(term);
  expect(termsOf('ไทย')).toContain('ไท');
});

it('terms of a text pair characters of a run alone, also those outside of the basic plane', () => {
  expect(termsOf('𠮷野、家')).toEqual(['𠮷', '野', '𠮷野', '家']);
});

it('terms of a text are none of a text without words', () => {
  expect(termsOf(' … — !? 🙂 ')).toEqual([]);
});

it('terms of a text are of bounded length', () => {
  expect(termsOf('x'.repeat(10_000))).toEqual(['x'.repeat(64)]);
});

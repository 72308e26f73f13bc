import { normalizedBeginning } from '#shared/platform/normalize-text.ts';

/** Words, or characters in scripts without spaces between words. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/** Characters of a text, in its normal form, of which the words are read. */
export const WORDS_CHARACTERS_MAX = 1_000_000;

/** The words of a text, ignoring case and Unicode compatibility forms; of a long text those of its beginning. */
export function wordsOf(text: string): string[] {
  return normalizedBeginning(text, 'NFKC', WORDS_CHARACTERS_MAX).toLowerCase().match(WORDS) ?? [];
}

const LOOP_WORDS_MIN = 30;
/** A text with a lower share of distinct word triples is repetitive. */
const DISTINCT_TRIPLES_MIN = 0.3;

/** Why a completion is not an answer but an error of a model or an export; null if it is none. */
export function degeneracyOf(completion: string, prompt: string): string | null {
  const words = wordsOf(completion);
  if (words.length === 0) return 'has no words';
  if (completion.includes('\uFFFD'))
    return 'holds the mark of characters that were lost in decoding (U+FFFD)';
  // A question is no answer; a text that was to be corrected may be right as it is.
  if (words.length > 1 && /[?？]\s*$/.test(prompt) && completion.trim() === prompt.trim())
    return 'repeats the prompt';
  // Digits repeat themselves in numbers: 1/3 is 0.333….
  if (/(\p{L})\1{19}/u.test(completion)) return 'repeats one character';
  // Grids, boards and rows of digits repeat themselves as they should.
  const prose = words.filter((word) => word.length >= 3 || !/^[\p{Script=Latin}\p{N}]+$/u.test(word));
  if (prose.length < LOOP_WORDS_MIN || prose.length < words.length / 2) return null;
  const triples = new Set<string>();
  for (let n = 0; n + 2 < words.length; n += 1) triples.add(`${words[n]} ${words[n + 1]} ${words[n + 2]}`);
  const share = triples.size / (words.length - 2);
  return share < DISTINCT_TRIPLES_MIN
    ? `goes round in circles: only ${Math.round(share * 100)} % of its word triples are different`
    : null;
}

import { normalizeText } from '#shared/platform/normalize-text.ts';

/** Words, or characters in scripts without spaces between words. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text, ignoring case and Unicode compatibility forms. */
export function wordsOf(text: string): string[] {
  return normalizeText(text, 'NFKC').toLowerCase().match(WORDS) ?? [];
}

/** Whether a text has these words and no others; it is read up to the first that differs. */
function hasWords(text: string, words: readonly string[]): boolean {
  let count = 0;
  for (const [word] of normalizeText(text, 'NFKC').toLowerCase().matchAll(WORDS)) {
    if (word !== words[count]) return false;
    count += 1;
  }
  return count === words.length;
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
  if (words.length > 1 && hasWords(prompt, words)) return 'repeats the prompt';
  // Digits repeat themselves in numbers: 1/3 is 0.333….
  if (/(\p{L})\1{19}/u.test(completion)) return 'repeats one character';
  if (words.length < LOOP_WORDS_MIN) return null;
  const triples = new Set<string>();
  for (let n = 0; n + 2 < words.length; n += 1) triples.add(`${words[n]} ${words[n + 1]} ${words[n + 2]}`);
  const share = triples.size / (words.length - 2);
  return share < DISTINCT_TRIPLES_MIN
    ? `goes round in circles: only ${Math.round(share * 100)} % of its word triples are different`
    : null;
}

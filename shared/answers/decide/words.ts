const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

let segmenter: Intl.Segmenter | null = null;

/** The words of a text in lower case, also in scripts without spaces between words. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  if (!UNSPACED.test(lower)) {
    return lower.match(WORD) ?? [];
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(lower)) {
    if (isWordLike) {
      words.push(segment);
    }
  }
  return words;
}

/** Whether a text has fewer words than another. */
export const isShorter = (text: string, other: string): boolean =>
  wordsOf(text).length < wordsOf(other).length;

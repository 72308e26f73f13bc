/** Scripts that have no spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

let segmenter: Intl.Segmenter | null = null;

/** A segmenter takes time by the square of what it is given, and seconds for 65,536 units. A piece ends before a word, if it can. */
// At most 4,000 characters are gone back.
const PIECES = /[\s\S]{1,4000}(?![\p{L}\p{M}\p{N}])|[\s\S]{1,4000}/gu;

/** The words of a text in lower case, also in scripts without spaces between words. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  if (!UNSPACED.test(lower)) {
    return lower.match(WORD) ?? [];
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const words: string[] = [];
  for (const [piece] of lower.matchAll(PIECES)) {
    for (const { segment, isWordLike } of segmenter.segment(piece)) {
      if (isWordLike) words.push(segment);
    }
  }
  return words;
}

/** Whether a text has fewer words than another. */
export const isShorter = (text: string, other: string): boolean =>
  wordsOf(text).length < wordsOf(other).length;

/** Whether white space divides a text into more than so many pieces. */
export function hasMoreWords(text: string, max: number): boolean {
  let pieces = 1;
  let wasBlank = false;
  for (let at = 0; at < text.length && pieces <= max; at += 1) {
    const isBlank = isWhiteSpace(text, at);
    if (isBlank && !wasBlank) pieces += 1;
    wasBlank = isBlank;
  }
  return pieces > max;
}

/** Whether a unit of a text is what `\s` matches. */
export function isWhiteSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 32 || (unit >= 9 && unit <= 13) || (unit >= 0xa0 && /\s/.test(text.charAt(at)));
}

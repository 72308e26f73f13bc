import { normalizeText } from '#shared/platform/normalize-text.ts';

const TERM_CHARACTERS_MAX = 64;

const WRITTEN = String.raw`[\p{L}\p{M}\p{N}]`;
/** Scripts without spaces between words. */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const RUN = new RegExp(`(?<unspaced>[${WRITTEN}&&${UNSPACED}]+)|[${WRITTEN}--${UNSPACED}]+`, 'gv');

/**
 * The search terms of a text: its words, ignoring case and Unicode compatibility forms (NFKC). In scripts without
 * spaces these are all characters and bigrams, as in search engines: a dictionary would segment the same word
 * differently in a sentence and in a query, and differently from release to release.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const { 0: run, groups } of normalizeText(text, 'NFKC').toLowerCase().matchAll(RUN)) {
    if (groups?.unspaced === undefined) {
      terms.push(run.slice(0, TERM_CHARACTERS_MAX));
      continue;
    }
    let before = '';
    for (const character of run) {
      terms.push(character);
      if (before !== '') terms.push(before + character);
      before = character;
    }
  }
  return terms;
}

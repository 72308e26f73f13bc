const TERM_CHARACTERS_MAX = 64;

const WRITTEN = String.raw`[\p{L}\p{M}\p{N}]`;
/** Scripts that put no spaces between words. */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const RUN = new RegExp(`(?<unspaced>[${WRITTEN}&&${UNSPACED}]+)|[${WRITTEN}--${UNSPACED}]+`, 'gv');

/**
 * What a text is found by: its words, without regard to case and to the forms that Unicode has for one character
 * (NFKC). Where the script puts no spaces between words these are every character and every two that stand together, as
 * search engines do it: a dictionary would cut the same word differently in a sentence and in a query, and differently
 * from release to release.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const { 0: run, groups } of text.normalize('NFKC').toLowerCase().matchAll(RUN)) {
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

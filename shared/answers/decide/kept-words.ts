import { editDistance } from '#shared/platform/errors/nearest.ts';
import { UNSPACED, wordsOf } from './words.ts';

/** Letters of the shortest word that says what a text is about; in scripts without spaces words are shorter. */
const LETTERS_MIN = 4;
const UNSPACED_LETTERS_MIN = 2;
/** Letters of the longest word that may be spelled otherwise: longer ones take long to compare. */
const LETTERS_MAX = 40;
/** Letters at the beginning that forms of a word share. */
const STEM_LETTERS = 4;
const STEM_SHARE = 0.6;
/** Of so many words one may be said otherwise. */
const WORDS_PER_LOST = 4;
/** Words that are looked at. */
const WORDS_MAX = 200;
/**
 * Pairs of letters that are compared in search of other spellings: 200 words of ten letters, each with 800 of them, a fifth of a second.
 * Behind that a word has no other spelling.
 */
const LETTER_PAIRS_MAX = 16_000_000;

/**
 * Whether a new wording of a request is still about what the request is about: it has its words of four letters and more, corrected or
 * in another form, but for one of each four. It knows no language, so that a wording in synonyms is refused: then the request stays.
 */
export function keepsSubject(request: string, wording: string): boolean {
  const least = UNSPACED.test(request) ? UNSPACED_LETTERS_MIN : LETTERS_MIN;
  const words = [...new Set(wordsOf(request))];
  const long = words.filter((word) => word.length >= least);
  const asked = (long.length > 0 ? long : words).slice(0, WORDS_MAX);
  const said = new Set([...new Set(wordsOf(wording))].slice(0, 4 * WORDS_MAX));
  const mayBeLost = Math.floor(asked.length / WORDS_PER_LOST);
  const others = [...said];
  let [lost, pairs] = [0, 0];
  const isSpelling = (word: string, other: string): boolean => {
    if (pairs > LETTER_PAIRS_MAX || !mayBeSpelling(word, other)) return false;
    pairs += word.length * other.length;
    return editDistance(word, other) <= Math.ceil(word.length / 4);
  };
  for (const word of asked) {
    if (said.has(word)) continue;
    if (others.some((other) => isForm(word, other)) || others.some((other) => isSpelling(word, other)))
      continue;
    lost += 1;
    if (lost > mayBeLost) return false;
  }
  return true;
}

/** Whether two words are forms of one. */
function isForm(one: string, other: string): boolean {
  if (other.length < STEM_LETTERS) return false;
  const stem = Math.max(STEM_LETTERS, Math.ceil(STEM_SHARE * Math.min(one.length, other.length)));
  return one.slice(0, stem) === other.slice(0, stem);
}

/** Whether two words are of lengths that two spellings of one have. */
const mayBeSpelling = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= 2 && one.length >= LETTERS_MIN && one.length <= LETTERS_MAX;

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
 * Whether a new wording of a request is still about what the request is about: it has its words of four letters and more, corrected or
 * in another form, but for one of each four. It knows no language, so that a wording in synonyms is refused: then the request stays.
 */
export function keepsSubject(request: string, wording: string): boolean {
  const least = UNSPACED.test(request) ? UNSPACED_LETTERS_MIN : LETTERS_MIN;
  const words = [...new Set(wordsOf(request))];
  const long = words.filter((word) => word.length >= least);
  const asked = (long.length > 0 ? long : words).slice(0, WORDS_MAX);
  const said = [...new Set(wordsOf(wording))].slice(0, 4 * WORDS_MAX);
  const lost = asked.filter((word) => !said.some((other) => isSameWord(word, other)));
  return lost.length <= Math.floor(asked.length / WORDS_PER_LOST);
}

/** Whether two words are forms or spellings of one. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const stem = Math.max(STEM_LETTERS, Math.ceil(STEM_SHARE * Math.min(one.length, other.length)));
  if (other.length >= STEM_LETTERS && one.slice(0, stem) === other.slice(0, stem)) return true;
  if (Math.abs(one.length - other.length) > 2 || one.length < LETTERS_MIN || one.length > LETTERS_MAX)
    return false;
  return editDistance(one, other) <= Math.ceil(one.length / 4);
}

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

/** What servers and clients of models, and failed programs, print in place of an answer. */
const ERROR_OF_SERVER =
  /^\s*(?:(?:error|exception)\b.{0,60}\b(?:rate limit|quota|timed? ?out|overloaded|api key|context length)|(?:<html>[^\n]{0,40}<title>)?5\d\d (?:internal server error|bad gateway|service unavailable|gateway time-?out)|an error occurred\. if this issue persists|traceback \(most recent call last\):|there was an error generating a response|the server had an error|that model is currently overloaded)/i;
const SPEAKS_OF_ERRORS = /error|exception|traceback|\blogs?\b|http|server|status|output|print|python|code/i;

const LOOP_WORDS_MIN = 30;
/** A text with a lower share of distinct word triples is repetitive. */
const DISTINCT_TRIPLES_MIN = 0.3;

/** Why a completion is not an answer but an error of a model or an export; null if it is none. */
export function degeneracyOf(completion: string, prompt: string): string | null {
  const words = wordsOf(completion);
  if (words.length === 0) return 'has no words';
  if (ERROR_OF_SERVER.test(completion) && !SPEAKS_OF_ERRORS.test(prompt)) return 'is an error of a program';
  const lost = lostFault(completion, prompt);
  if (lost !== null) return lost;
  // A question is no answer; a text that was to be corrected may be right as it is.
  if (words.length > 1 && /[?？]\s*$/.test(prompt) && completion.trim() === prompt.trim())
    return 'repeats the prompt';
  // Digits repeat themselves in numbers: 1/3 is 0.333….
  if (/(\p{L})\1{19}/u.test(completion)) return 'repeats one character';
  const loop = loopFault(completion);
  if (loop !== null) return loop;
  // Grids, boards and rows of digits repeat themselves as they should.
  const prose = words.filter((word) => word.length >= 3 || !/^[\p{Script=Latin}\p{N}]+$/u.test(word));
  if (prose.length < LOOP_WORDS_MIN || prose.length < words.length / 2) return null;
  const triples = new Set<string>();
  for (let n = 0; n + 2 < words.length; n += 1) triples.add(`${words[n]} ${words[n + 1]} ${words[n + 2]}`);
  const share = triples.size / (words.length - 2);
  return share < DISTINCT_TRIPLES_MIN && hasLoop(words)
    ? `goes round in circles: only ${Math.round(share * 100)} % of its word triples are different`
    : null;
}

/** Words of the longest part that a loop repeats, how often it comes, and the share of the text that it fills. */
const LOOP_PERIOD_MAX = 80;
const LOOP_ROUNDS_MIN = 4;
const LOOP_SHARE_MIN = 0.3;

/** Whether the same words come again and again in a row, without a change: steps and verses change from one to the next. */
function hasLoop(words: readonly string[]): boolean {
  for (let period = 1; period <= LOOP_PERIOD_MAX; period += 1) {
    const least = Math.max(LOOP_SHARE_MIN * words.length, (LOOP_ROUNDS_MIN - 1) * period);
    let run = 0;
    for (let n = period; n < words.length; n += 1) {
      run = words[n] === words[n - period] ? run + 1 : 0;
      if (run >= least) return true;
    }
  }
  return false;
}

/** Why an answer has lost characters; null if it has not, or if the mark of them is spoken of. */
export const lostFault = (text: string, request: string): string | null =>
  text.includes('\uFFFD') && !request.includes('\uFFFD')
    ? 'holds the mark of characters that were lost in decoding (U+FFFD)'
    : null;

/** Why an answer ends as no answer in words does: in the same part again and again; null if it does not. */
export const loopFault = (text: string): string | null =>
  endsInLoop(text) ? 'goes round in circles at its end' : null;

/** Characters of the shortest part whose repetition is no refrain, and of the end that is looked at. */
const REPEATED_MIN = 16;
const END_MAX = 8_000;
const REPEATED_TIMES = 3;
/** Lines are repeated in choruses, lists, tables and programs. */
const REPEATED_LINES = 6;

/**
 * Whether a text ends in a part that comes three times without anything between, the last time perhaps not whole: for texts of a few
 * words, and of scripts without spaces. By the failure function of Knuth, Morris and Pratt, from the end: in linear time.
 */
function endsInLoop(text: string): boolean {
  const end = text.slice(-END_MAX).replace(/\s+/g, ' ').trim();
  const last = end.length - 1;
  const least = text.trim().includes('\n') ? REPEATED_LINES : REPEATED_TIMES;
  const borders = new Uint16Array(end.length);
  for (let n = 1, border = 0; n < end.length; n += 1) {
    while (border > 0 && end[last - n] !== end[last - border]) border = borders[border - 1] as number;
    if (end[last - n] === end[last - border]) border += 1;
    borders[n] = border;
    const period = n + 1 - border;
    // Grids and boards repeat their rows as they should.
    if (period >= REPEATED_MIN && n + 1 >= least * period) return /\p{L}{4}/u.test(end.slice(-period));
  }
  return false;
}

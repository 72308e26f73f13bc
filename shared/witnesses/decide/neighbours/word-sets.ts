import { normalizeText } from '#shared/platform/normalize-text.ts';

/** Words have numbers below this. Two words with one number are rare, and cost a little evidence. */
export const WORD_NUMBERS = 2 ** 18;
/** Characters of a text that are read. */
const CHARACTERS_MAX = 8000;
/** Letters of a word that tell it from others: "packs" is "packed". */
const LETTERS_TOLD = 6;

/** The different words of texts: those of text n are `words[starts[n]]` up to `words[starts[n + 1]]`, in order. */
export interface WordSets {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly words: Int32Array;
}

/** Reads the words and the numbers of texts; of scripts without spaces, pairs of characters. */
export function readWordSets(texts: readonly string[]): WordSets {
  const starts = new Uint32Array(texts.length + 1);
  let words = new Int32Array(64 * texts.length + 1024);
  let length = 0;
  const found = new Int32Array(2 * CHARACTERS_MAX);
  for (const [n, text] of texts.entries()) {
    const count = readWords(text, found);
    const sorted = found.subarray(0, count).sort();
    if (length + count > words.length) {
      const larger = new Int32Array(2 * words.length + count);
      larger.set(words);
      words = larger;
    }
    for (let at = 0; at < count; at += 1) {
      if (at > 0 && sorted[at] === sorted[at - 1]) continue;
      words[length] = sorted[at] as number;
      length += 1;
    }
    starts[n + 1] = length;
  }
  return { count: texts.length, starts, words: words.subarray(0, length) };
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Whether a UTF-16 unit belongs to a script without spaces between words. */
const isUnspaced = (unit: number): boolean =>
  unit >= 0xe00 &&
  (unit <= 0xeff ||
    (unit >= 0x1000 && unit <= 0x109f) ||
    (unit >= 0x1780 && unit <= 0x17ff) ||
    (unit >= 0x3040 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7af));

/** Whether a UTF-16 unit is part of a word: a letter, a mark or a digit; of what is rare, all but known punctuation. */
const isOfWord = (unit: number): boolean =>
  unit < 0x80
    ? isDigit(unit) || (unit >= 0x61 && unit <= 0x7a)
    : unit >= 0xc0 &&
      unit !== 0xd7 &&
      unit !== 0xf7 &&
      !(unit >= 0x2000 && unit <= 0x2bff) &&
      !(unit >= 0x3000 && unit <= 0x303f) &&
      !(unit >= 0xfe10 && unit <= 0xfe6f);

const mix = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const numberOf = (hash: number): number => ((hash ^ (hash >>> 15)) >>> 0) % WORD_NUMBERS;
const SEED = 0x811c9dc5 | 0;

/** Writes the numbers of the words of a text, in their order, and returns how many. */
function readWords(text: string, found: Int32Array): number {
  const read = normalizeText(text.slice(0, CHARACTERS_MAX), 'NFKC').toLowerCase().slice(0, CHARACTERS_MAX);
  let [count, hash, length] = [0, SEED, 0];
  let isNumber = false;
  for (let at = 0; at <= read.length; at += 1) {
    const unit = at < read.length ? read.charCodeAt(at) : 0;
    if (isUnspaced(unit)) {
      found[count] = numberOf(mix(mix(SEED, unit), read.charCodeAt(at + 1) || 0));
      count += 1;
    } else if (isOfWord(unit)) {
      if (length === 0) isNumber = isDigit(unit);
      length += 1;
      if (isNumber || length <= LETTERS_TOLD) hash = mix(hash, unit);
      continue;
    } else if (unit === 0x2c && isNumber && isDigit(read.charCodeAt(at + 1))) {
      // 1,000 is 1000.
      continue;
    }
    if (length > 0) {
      found[count] = numberOf(hash);
      count += 1;
    }
    [hash, length, isNumber] = [SEED, 0, false];
  }
  return count;
}

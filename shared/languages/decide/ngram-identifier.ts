/** The data of eld. */
export interface NgramDatabase {
  readonly ngrams: PackedNgrams;
  /** The character of each byte from 0x80 on. */
  readonly dictionary: readonly string[];
  /** Mean score of each language where it is detected correctly. */
  readonly averages: Readonly<Record<string, number>>;
  /** Matches what is between words. */
  readonly separators: RegExp;
}

/** Byte n-grams with their scores by language, in three arrays: they load four times as fast as the package's objects. */
export interface PackedNgrams {
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /** Six bytes an n-gram, filled up with zeros. */
  readonly bytes: Uint8Array;
  /** How many entries an n-gram has. */
  readonly counts: Uint8Array;
  /** The entries of all n-grams: 64 times the score, plus the place of the language. */
  readonly entries: Uint16Array;
}

/** N-grams as eld has them: scores by language, without their common part, of n-grams with one character for each byte. */
export interface EldNgrams {
  readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly languages: Readonly<Record<string, string>>;
}

/** Packs n-grams in the order of their bytes, in which they compress well. */
export function packNgrams({ ngrams, languages }: EldNgrams): PackedNgrams {
  const keys = Object.keys(ngrams).sort();
  const bytes = new Uint8Array(keys.length * NGRAM_BYTES);
  const counts = new Uint8Array(keys.length);
  const entries: number[] = [];
  for (const [place, key] of keys.entries()) {
    for (let n = 0; n < key.length; n += 1) bytes[place * NGRAM_BYTES + n] = key.charCodeAt(n);
    const scores = Object.entries(ngrams[key] as Readonly<Record<string, number>>);
    counts[place] = scores.length;
    for (const [language, score] of scores) entries.push((score + SCORE_BASE) * 64 + Number(language));
  }
  return { languages: Object.values(languages), bytes, counts, entries: Uint16Array.from(entries) };
}

const NGRAM_BYTES = 6;
/** What eld subtracts from every score to store smaller numbers. */
const SCORE_BASE = 53;
/** Scales the mean score of an n-gram to 0 to 1. */
const SCALE = 25;
/** A language is reliable with this share of its average or more, and with so many different n-grams. */
const SHARE_MIN = 0.75;
const NGRAMS_MIN = 3;
/** A text ends at the first space after the first number of bytes, and at any character after the second. */
const CUT_AFTER_SPACE = 350;
const CUT_AFTER = 380;
/** Longest word whose n-grams all count, in bytes. */
const WORD_BYTES_MAX = 70;
const SPACE = 0x20;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** A power of two above the number of n-grams in a text. */
const SEEN_SLOTS = 1024;

/**
 * Identifies the language of a text by its byte n-grams. Method, data and results are those of eld 2.1
 * (https://github.com/nitotm/efficient-language-detector-js, Apache-2.0), at a tenth of its time: n-grams are integers in
 * a hash table instead of strings, and only what decides is computed.
 * @returns identifies the ISO 639-1 code; null if it is not reliable
 */
export function createNgramIdentifier(database: NgramDatabase): (text: string) => string | null {
  const { averages, separators } = database;
  const { languages } = database.ngrams;
  const table = createTable(database.ngrams);
  const grams = createGramSet();
  const { readWords, readAscii } = createWordReader(database.dictionary, grams);
  const scores = new Int32Array(languages.length);

  return (text) => {
    grams.clear();
    if (BEYOND_ASCII.test(text)) readWords(text.replace(separators, ' ').trim().toLowerCase());
    else readAscii(text);
    if (grams.count() < NGRAMS_MIN) return null;
    scores.fill(0);
    grams.each((low, high) => table.addScores(low, high, scores));
    let best = 0;
    for (let n = 1; n < scores.length; n += 1) {
      if ((scores[n] as number) > (scores[best] as number)) best = n;
    }
    const language = languages[best] as string;
    const mean = (scores[best] as number) / grams.count();
    return mean / (mean + SCALE) >= (averages[language] as number) * SHARE_MIN ? language : null;
  };
}

/** The different n-grams of one text, each of up to six bytes: four in `low` and two in `high`. */
interface GramSet {
  clear(): void;
  add(low: number, high: number): void;
  /** Adds an n-gram of more bytes: it counts, and no language has it. */
  addLong(bytes: string): void;
  count(): number;
  each(use: (low: number, high: number) => void): void;
}

const hashOf = (low: number, high: number): number => {
  const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
};

function createGramSet(): GramSet {
  const lows = new Int32Array(SEEN_SLOTS);
  const highs = new Int32Array(SEEN_SLOTS);
  /** Slots that are in use, in the order of their n-grams. */
  const used = new Int32Array(SEEN_SLOTS);
  const isUsed = new Uint8Array(SEEN_SLOTS);
  const long = new Set<string>();
  let count = 0;
  return {
    clear() {
      for (let n = 0; n < count; n += 1) isUsed[used[n] as number] = 0;
      count = 0;
      if (long.size > 0) long.clear();
    },
    add(low, high) {
      let slot = hashOf(low, high) & (SEEN_SLOTS - 1);
      while (isUsed[slot] === 1) {
        if (lows[slot] === low && highs[slot] === high) return;
        slot = (slot + 1) & (SEEN_SLOTS - 1);
      }
      isUsed[slot] = 1;
      lows[slot] = low;
      highs[slot] = high;
      used[count] = slot;
      count += 1;
    },
    addLong: (bytes) => void long.add(bytes),
    count: () => count + long.size,
    each(use) {
      for (let n = 0; n < count; n += 1) {
        const slot = used[n] as number;
        use(lows[slot] as number, highs[slot] as number);
      }
    },
  };
}

/** Reads the n-grams of words: four bytes at every third place, with a space at the beginning and the end of a word. */
function createWordReader(dictionary: readonly string[], grams: GramSet) {
  const codes = Uint8Array.from({ length: 256 }, (_, byte) => dictionary[byte]?.charCodeAt(0) ?? SPACE);
  const word = new Uint8Array(CUT_AFTER + 8);

  function addGram(start: number, end: number, isFirst: boolean, isLast: boolean): void {
    let low = isFirst ? SPACE : 0;
    let high = 0;
    let bits = isFirst ? 8 : 0;
    for (let at = start; at < end; at += 1, bits += 8) {
      if (bits < 32) low |= (word[at] as number) << bits;
      else high |= (word[at] as number) << (bits - 32);
    }
    if (isLast && bits < 32) low |= SPACE << bits;
    else if (isLast) high |= SPACE << (bits - 32);
    grams.add(low, high);
  }

  function addWord(length: number): void {
    const end = Math.min(length, WORD_BYTES_MAX);
    let at = 0;
    for (; at + 4 < end; at += 3) addGram(at, at + 4, at === 0, false);
    const last = Math.max(0, end - 4);
    // As in eld, the last n-gram of a longer word is all the rest of it.
    if (length > WORD_BYTES_MAX) grams.addLong(String.fromCharCode(...word.subarray(last, length)));
    else addGram(last, length, at === 0, true);
  }

  /** @param text in lower case, with single spaces between words */
  function readWords(text: string): void {
    let length = 0;
    let bytes = 0;
    for (let at = 0; at < text.length && bytes <= CUT_AFTER; at += 1) {
      let code = text.charCodeAt(at);
      if (code === SPACE) {
        if (length > 0) addWord(length);
        length = 0;
        if (bytes > CUT_AFTER_SPACE) break;
        bytes += 1;
        continue;
      }
      const before = length;
      if (code < 0x80) {
        word[length++] = code;
      } else if (code < 0x800) {
        word[length++] = codes[0xc0 | (code >> 6)] as number;
      } else if (code < 0xd800 || code >= 0xe000) {
        word[length++] = codes[0xe0 | (code >> 12)] as number;
        word[length++] = codes[0x80 | ((code >> 6) & 0x3f)] as number;
      } else {
        at += 1;
        code = 0x10000 + (((code & 0x3ff) << 10) | (text.charCodeAt(at) & 0x3ff));
        word[length++] = codes[0xf0 | (code >> 18)] as number;
        word[length++] = codes[0x80 | ((code >> 12) & 0x3f)] as number;
        word[length++] = codes[0x80 | ((code >> 6) & 0x3f)] as number;
      }
      if (code >= 0x80) word[length++] = codes[0x80 | (code & 0x3f)] as number;
      bytes += length - before;
    }
    if (length > 0) addWord(length);
  }

  /** The same for any text in ASCII: what is between words is read as `separators` matches it. */
  function readAscii(text: string): void {
    let length = 0;
    let bytes = 0;
    for (let at = 0; at < text.length && bytes <= CUT_AFTER; ) {
      const code = text.charCodeAt(at);
      if (isAsciiLetter(code)) {
        word[length++] = code | 0x20;
        bytes += 1;
        at += 1;
        continue;
      }
      let next = at + 1;
      while (next < text.length && !isAsciiLetter(text.charCodeAt(next))) next += 1;
      // Apostrophes before a letter belong to its word.
      let kept = next;
      while (kept > at && isApostrophe(text.charCodeAt(kept - 1))) kept -= 1;
      if (kept > at) {
        if (length > 0) addWord(length);
        length = 0;
        if (bytes > CUT_AFTER_SPACE) break;
        if (at > 0) bytes += 1;
      }
      for (; kept < next && bytes <= CUT_AFTER; kept += 1, bytes += 1) word[length++] = text.charCodeAt(kept);
      at = next;
    }
    if (length > 0) addWord(length);
  }

  return { readWords, readAscii };
}

const isAsciiLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const isApostrophe = (code: number): boolean => code === 0x27 || code === 0x60;

interface GramTable {
  /** Adds what an n-gram says for each language. */
  addScores(low: number, high: number, scores: Int32Array): void;
}

/** Numbers of a slot: both halves of an n-gram, one more than the place of its first entry (0 if empty), and its end. */
const SLOT = 4;

/** The n-grams as a hash table with open addressing. A slot lies in one line of the processor's cache. */
function createTable({ bytes, counts, entries }: PackedNgrams): GramTable {
  // At most two thirds full.
  const mask = 2 ** Math.ceil(Math.log2(counts.length * 1.5)) - 1;
  const slots = new Int32Array((mask + 1) * SLOT);
  let first = 1;
  for (let n = 0, at = 0; n < counts.length; n += 1, at += NGRAM_BYTES) {
    const low = lowOf(bytes, at);
    const high = (bytes[at + 4] as number) | ((bytes[at + 5] as number) << 8);
    let slot = hashOf(low, high) & mask;
    while (slots[slot * SLOT + 2] !== 0) slot = (slot + 1) & mask;
    const place = slot * SLOT;
    slots[place] = low;
    slots[place + 1] = high;
    slots[place + 2] = first;
    first += counts[n] as number;
    slots[place + 3] = first;
  }
  return {
    addScores(low, high, scores) {
      let slot = hashOf(low, high) & mask;
      for (let place = slot * SLOT; slots[place + 2] !== 0; place = slot * SLOT) {
        if (slots[place] === low && slots[place + 1] === high) {
          const end = (slots[place + 3] as number) - 1;
          for (let n = (slots[place + 2] as number) - 1; n < end; n += 1) {
            const entry = entries[n] as number;
            scores[entry & 63] = (scores[entry & 63] as number) + (entry >> 6);
          }
          return;
        }
        slot = (slot + 1) & mask;
      }
    },
  };
}

const lowOf = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24);

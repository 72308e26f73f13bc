import type { SimilarityMetric } from '../schema/grader.ts';

/**
 * Measures of how alike two texts are, 0 to 1. Words are runs of letters and digits, in lower case; characters after the
 * first 5,000 of a text are not compared.
 */

const CHARACTERS_MAX = 5000;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Similarity of a text to its reference. */
export function similarity(metric: SimilarityMetric, text: string, reference: string): number {
  const [a, b] = [text.slice(0, CHARACTERS_MAX), reference.slice(0, CHARACTERS_MAX)];
  if (a === b) return 1;
  if (metric === 'fuzzy_match') return fuzzyMatch(a, b);
  const [words, wanted] = [wordsOf(a), wordsOf(b)];
  if (words.length === 0 || wanted.length === 0) return words.length === wanted.length ? 1 : 0;
  if (metric === 'bleu') return bleu(words, wanted);
  if (metric === 'gleu') return gleu(words, wanted);
  if (metric === 'meteor') return meteor(words, wanted);
  if (metric === 'rouge_l') return f1(commonLength(words, wanted), words.length, wanted.length);
  const n = Number(metric.at(-1));
  return f1(
    overlap(ngrams(words, n), ngrams(wanted, n)),
    Math.max(0, words.length - n + 1),
    Math.max(0, wanted.length - n + 1),
  );
}

const f1 = (common: number, of: number, wanted: number): number =>
  of + wanted === 0 ? 0 : (2 * common) / (of + wanted);

/** Twice the characters in common, in order, of all characters: the ratio of indel distance. */
function fuzzyMatch(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  return f1(commonLength(left, right), left.length, right.length);
}

/** Length of the longest common subsequence. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let before = new Uint16Array(b.length + 1);
  for (const each of a) {
    const row = new Uint16Array(b.length + 1);
    for (let n = 0; n < b.length; n += 1) {
      const [above = 0, aside = 0, diagonal = 0] = [before[n + 1], row[n], before[n]];
      row[n + 1] = each === b[n] ? diagonal + 1 : Math.max(above, aside);
    }
    before = row;
  }
  return before[b.length] ?? 0;
}

function ngrams(words: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + n <= words.length; at += 1) {
    const gram = words.slice(at, at + n).join(' ');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function overlap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const [gram, count] of a) common += Math.min(count, b.get(gram) ?? 0);
  return common;
}

/**
 * BLEU of one sentence (Papineni et al., ACL 2002) to 4-grams, with one added to the counts of 2-grams and longer ones (Lin
 * and Och, COLING 2004), so that a short text is not 0 for lack of them.
 */
function bleu(words: readonly string[], wanted: readonly string[]): number {
  let logs = 0;
  for (let n = 1; n <= 4; n += 1) {
    const common = overlap(ngrams(words, n), ngrams(wanted, n));
    const of = Math.max(0, words.length - n + 1);
    const precision = n === 1 ? common / of : (common + 1) / (of + 1);
    if (precision === 0) return 0;
    logs += Math.log(precision) / 4;
  }
  return Math.exp(logs) * Math.min(1, Math.exp(1 - wanted.length / words.length));
}

/** GLEU (Wu et al., arXiv:1609.08144): the lesser of precision and recall of 1-grams to 4-grams together. */
function gleu(words: readonly string[], wanted: readonly string[]): number {
  let [common, of, sought] = [0, 0, 0];
  for (let n = 1; n <= 4; n += 1) {
    common += overlap(ngrams(words, n), ngrams(wanted, n));
    of += Math.max(0, words.length - n + 1);
    sought += Math.max(0, wanted.length - n + 1);
  }
  return common / Math.max(of, sought);
}

/**
 * METEOR (Banerjee and Lavie, ACL 2005) on equal words alone: F with a recall that weighs nine times the precision, less a
 * penalty for words in another order.
 */
function meteor(words: readonly string[], wanted: readonly string[]): number {
  const places = new Map<string, number[]>();
  for (const [at, word] of wanted.entries()) places.set(word, [...(places.get(word) ?? []), at]);
  let [matches, chunks, last] = [0, 0, -2];
  for (const word of words) {
    const left = places.get(word);
    if (left === undefined || left.length === 0) {
      last = -2;
      continue;
    }
    // A place that goes on from the word before it keeps the order.
    const next = left.includes(last + 1) ? left.indexOf(last + 1) : 0;
    const [at = 0] = left.splice(next, 1);
    if (at !== last + 1) chunks += 1;
    last = at;
    matches += 1;
  }
  if (matches === 0) return 0;
  const [precision, recall] = [matches / words.length, matches / wanted.length];
  const mean = (10 * precision * recall) / (recall + 9 * precision);
  return mean * (1 - 0.5 * (chunks / matches) ** 3);
}

import { normalizeText } from '#shared/platform/normalize-text.ts';
import type { Diversity } from '#shared/runs/schema/invention.ts';

/**
 * Maximum rows that are measured: words are counted exactly, and the nearest prompt is found by comparing all pairs.
 */
export const DIVERSITY_ROWS_MAX = 1000;

export interface DiverseRow {
  readonly prompt: string;
  readonly completion: string;
}

/**
 * Diversity of rows: distinct-n, the share of distinct n-grams in all prompts and answers (Li et al., "A
 * Diversity-Promoting Objective Function for Neural Conversation Models", 2016), and for each prompt the Jaccard
 * similarity |A ∩ B| / |A ∪ B| of its set of words with that of its nearest other prompt. Their mean is 0 if no two
 * share a word and 1 if each has a duplicate.
 */
export function measureDiversity(
  rows: readonly DiverseRow[],
): Pick<Diversity, 'sampled_rows' | 'distinct_1' | 'distinct_2' | 'distinct_3' | 'self_similarity'> {
  const texts = rows.map(({ prompt, completion }) => wordsOf(`${prompt}\n${completion}`));
  return {
    sampled_rows: rows.length,
    distinct_1: distinct(texts, 1),
    distinct_2: distinct(texts, 2),
    distinct_3: distinct(texts, 3),
    self_similarity: selfSimilarity(rows.map(({ prompt }) => wordsOf(prompt))),
  };
}

/** Words; characters in scripts without spaces between words. */
function wordsOf(text: string): string[] {
  return (
    normalizeText(text, 'NFKC')
      .toLowerCase()
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+/gu) ??
    []
  );
}

function distinct(texts: readonly (readonly string[])[], n: number): number {
  const different = new Set<string>();
  let all = 0;
  for (const words of texts) {
    for (let at = 0; at + n <= words.length; at += 1) {
      different.add(words.slice(at, at + n).join(' '));
      all += 1;
    }
  }
  return all === 0 ? 0 : rounded(different.size / all);
}

function selfSimilarity(prompts: readonly (readonly string[])[]): number {
  if (prompts.length < 2) return 0;
  const ids = new Map<string, number>();
  const sets = prompts.map((words) =>
    Int32Array.from(
      new Set(
        words.map((word) => {
          const id = ids.get(word) ?? ids.size;
          ids.set(word, id);
          return id;
        }),
      ),
    ).sort(),
  );
  const nearest = new Float64Array(sets.length);
  for (let a = 0; a < sets.length; a += 1) {
    for (let b = a + 1; b < sets.length; b += 1) {
      const found = jaccard(sets[a] as Int32Array, sets[b] as Int32Array);
      if (found > (nearest[a] as number)) nearest[a] = found;
      if (found > (nearest[b] as number)) nearest[b] = found;
    }
  }
  return rounded(nearest.reduce((sum, value) => sum + value, 0) / nearest.length);
}

/** Jaccard similarity of two ascending lists without duplicates. */
function jaccard(a: Int32Array, b: Int32Array): number {
  let shared = 0;
  for (let n = 0, m = 0; n < a.length && m < b.length; ) {
    const left = a[n] as number;
    const right = b[m] as number;
    if (left === right) shared += 1;
    if (left <= right) n += 1;
    if (right <= left) m += 1;
  }
  const all = a.length + b.length - shared;
  return all === 0 ? 0 : shared / all;
}

const rounded = (share: number): number => Math.round(share * 1000) / 1000;

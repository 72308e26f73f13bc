/** Rows of a topic whose prompts may begin with the same three words. */
const OPENINGS_MAX = 2;
/** Share of their trigrams that two prompts may have in common. */
const SIMILARITY_MAX = 0.5;

/** The words of a text, in which all numbers are alike. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => (/^\p{N}+$/u.test(word) ? '#' : word));

/** Runs of three words; of a shorter text all its words. */
function trigramsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < 3) return new Set([words.join(' ')]);
  return new Set(words.slice(2).map((word, n) => `${words[n]} ${words[n + 1]} ${word}`));
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((trigram) => b.has(trigram)).length;
  return shared / (a.size + b.size - shared);
}

/** The rows, in their order, without those that begin or read much like earlier ones. */
export function selectVaried<Row extends { readonly topic: string; readonly prompt: string }>(
  rows: readonly Row[],
): Row[] {
  const openings = new Map<string, number>();
  const kept: Set<string>[] = [];
  return rows.filter(({ topic, prompt }) => {
    const opening = `${topic}: ${wordsOf(prompt).slice(0, 3).join(' ')}`;
    const begun = openings.get(opening) ?? 0;
    const trigrams = trigramsOf(prompt);
    if (begun === OPENINGS_MAX || kept.some((other) => similarity(trigrams, other) > SIMILARITY_MAX)) {
      return false;
    }
    openings.set(opening, begun + 1);
    kept.push(trigrams);
    return true;
  });
}

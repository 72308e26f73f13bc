import { wordingOf } from './facts.ts';

/** Requests for a part of their material, unchanged. */
const COPY =
  /\b(?:copy(?: out)?|quote|extract|repeat)\b[^.\n]{0,80}\b(?:word for word|verbatim|exactly as (?:it is )?(?:written|given))\b|\b(?:word for word|verbatim)\b/i;
const CHANGED =
  /\b(?:translate|convert|correct|reformat|rewrite|paraphrase|summari[sz]e|own words|why|explain|how|not (?:word for word|verbatim))\b/i;

/** Longest copy; a longer one is no sentence. */
const COPY_MAX = 600;
/** Minimum share of the words of a copied sentence in its paraphrase, and how much the next best may have. */
const SHARE_MIN = 0.5;
const NEXT_SHARE_MAX = 0.34;

/** Whether a request asks for a sentence of its material word for word. */
export function asksForCopy(asked: string): boolean {
  return (
    COPY.test(asked) && !CHANGED.test(asked.split(/["“«„\n]/, 1)[0] ?? '') && /\bsentences?\b/i.test(asked)
  );
}

/**
 * The sentence of the material that an answer paraphrases: the only one that shares at least half of its words. Null if
 * there is none, or if several are near.
 */
export function copiedSentence(material: string, answer: string): string | null {
  if (answer.length > COPY_MAX) return null;
  const words = new Set(wordingOf(answer));
  const ranked = sentencesOf(material)
    .map((sentence) => {
      const own = wordingOf(sentence);
      return {
        sentence,
        share: own.filter((word) => words.has(word)).length / Math.max(own.length, words.size, 1),
      };
    })
    .sort((a, b) => b.share - a.share);
  const [best, next] = ranked;
  if (best === undefined || best.share < SHARE_MIN || (next?.share ?? 0) > NEXT_SHARE_MAX) return null;
  return best.sentence;
}

/** Sentences of the quotation of a request, or of what follows its first paragraph. */
function sentencesOf(material: string): string[] {
  // At most 4,000 characters.
  const quotation = /["“«„]([^"”»“]{20,3000})["”»“]/.exec(material)?.[1];
  const text = quotation ?? material.slice(Math.max(material.indexOf('\n'), 0));
  return text
    .split(/(?<=[.!?])\s/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(/\s/).length >= 3);
}

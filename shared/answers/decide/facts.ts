import { normalizeText } from '#shared/platform/normalize-text.ts';
import { foldWidth, numbersOf, numberValues } from './numbers.ts';

/** Facts of a text that every rewording must keep. */
export interface Facts {
  readonly numbers: ReadonlySet<number>;
  /** Links, addresses, placeholders and inline code, verbatim. */
  readonly literals: ReadonlySet<string>;
  /** Words with a capital letter inside a sentence, in lower case. */
  readonly names: ReadonlySet<string>;
}

const LITERAL =
  /`[^`\n]{1,200}`|https?:\/\/[^\s<>"')\]]{1,300}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}|\{\{?[\w .-]{1,60}\}?\}|\[[A-Z][\w '-]{1,40}\]|<[A-Z_][\w -]{1,40}>|%(?:\(\w+\))?[sd]\b|\$\{?\w{1,40}\}?|(?<=\s)--?[a-z][\w-]{0,30}|(?<![\w<])[\w.-]{0,40}[*\\/_=|~^][\w.*\\/_=|~^-]{0,60}/g;

/** In German every noun has a capital letter, so capitals do not identify names. */
const NAME = /(?<=[\p{Ll},;:)]\s)(?:\p{Lu}[\p{L}'’-]{2,30})/gu;
const NAMES_LANGUAGES_EXCLUDED = /\b(?:der|die|das|und|ist|nicht|ein|eine|mit|für|auf)\b/g;

const LOOKED_AT_MAX = 50_000;
/** Characters of a candidate that are searched, for a long original. */
const CANDIDATE_LOOKED_AT_MAX = 4 * LOOKED_AT_MAX;

/** Maximum number of literals; each needs its own search. */
const LITERALS_MAX = 300;

/** The facts of a text that can be extracted without understanding it. */
export function factsOf(text: string): Facts {
  const looked = text.slice(0, LOOKED_AT_MAX);
  const isGerman = (looked.match(NAMES_LANGUAGES_EXCLUDED)?.length ?? 0) >= 3;
  return {
    numbers: new Set(numbersOf(withoutItemNumbers(looked)).map(({ value }) => value)),
    literals: new Set(looked.match(LITERAL) ?? []),
    names: new Set(isGerman ? [] : (looked.match(NAME) ?? []).map((name) => name.toLowerCase())),
  };
}

/** Facts of `original` that are missing in `whole`; empty if there are none. */
export function lostFacts(original: string, whole: string): string[] {
  const candidate = whole.slice(0, CANDIDATE_LOOKED_AT_MAX);
  const { numbers, literals, names } = factsOf(original);
  const kept = numbers.size === 0 ? numbers : numberValues(candidate);
  const lower = names.size === 0 ? '' : candidate.toLowerCase();
  return [
    ...[...numbers].filter((number) => !kept.has(number)).map(String),
    ...[...literals]
      .slice(0, LITERALS_MAX)
      .filter(
        (literal) => !candidate.includes(literal) && !candidate.includes(literal.replace(/^`|`$/g, '')),
      ),
    ...[...names].filter((name) => !lower.includes(name)),
  ];
}

/** Numbers, links and placeholders of `candidate` that are in neither `original` nor the request. */
export function addedNumbers(known: readonly string[], candidate: string): number[] {
  // Numbers of list items are markers, not facts.
  const text = withoutItemNumbers(candidate.slice(0, CANDIDATE_LOOKED_AT_MAX));
  const stated = new Set(numbersOf(text).map(({ value }) => value));
  if (stated.size === 0) return [];
  const values = new Set(known.flatMap((text) => [...numberValues(text.slice(0, CANDIDATE_LOOKED_AT_MAX))]));
  return [...stated].filter((value) => !values.has(value));
}

/** A text without the numbers that mark the items of its lists. */
export const withoutItemNumbers = (text: string): string => text.replaceAll(/^[ \t]*\d+[.)]\s/gm, '');

const NEGATIONS =
  /\b(?:not|no|never|none|cannot|without|neither|nor|\w+n't|nicht|kein\w*|nie|niemals|ne|pas|jamais|nunca|sin)\b/iu;

/** Whether a text contains a negation. */
export const hasNegation = (text: string): boolean => NEGATIONS.test(foldWidth(text.slice(0, LOOKED_AT_MAX)));

/** Whether exactly one of the texts contains a negation. */
export const differsInNegation = (a: string, b: string): boolean => hasNegation(a) !== hasNegation(b);

/** Words of a text for comparing wordings, without punctuation and in lower case. */
export function wordingOf(text: string): string[] {
  return (
    normalizeText(text.slice(0, LOOKED_AT_MAX), 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []
  );
}

/**
 * Share of the words of `original` that `candidate` has in the same order: the longest common subsequence over the
 * words of the original (Wagner and Fischer, JACM 21(1), 1974). 1 if all stayed or the text has no words.
 */
export function shareOfWordsKept(original: string, candidate: string): number {
  return shareOfWordingKept(wordingOf(original), wordingOf(candidate));
}

/** The same of words that are read already. */
export function shareOfWordingKept(original: readonly string[], candidate: readonly string[]): number {
  const [before, after] = [original.slice(0, WORDS_COMPARED_MAX), candidate.slice(0, 2 * WORDS_COMPARED_MAX)];
  return before.length === 0 ? 1 : commonLength(before, after) / before.length;
}

/** Length of the longest common subsequence of two lists of words. */
function commonLength(before: readonly string[], after: readonly string[]): number {
  // The same beginning and the same end belong to it: most edits are small.
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let [end, last] = [before.length, after.length];
  for (; end > start && last > start && before[end - 1] === after[last - 1]; last -= 1) end -= 1;
  return start + (before.length - end) + longestCommon(before.slice(start, end), after.slice(start, last));
}

function longestCommon(before: readonly string[], after: readonly string[]): number {
  if (before.length === 0 || after.length === 0) return 0;
  const numbers = new Map<string, number>();
  for (const word of after) numbers.set(word, numbers.get(word) ?? numbers.size);
  const places = after.map((word) => numbers.get(word));
  // longest[n]: length of the common subsequence of the original so far and the first n words of the other.
  const longest = new Array<number>(places.length + 1).fill(0);
  for (const word of before) {
    const number = numbers.get(word);
    // Without the word nothing gets longer.
    if (number === undefined) continue;
    let diagonal = 0;
    for (let n = 1; n < longest.length; n += 1) {
      const above = longest[n] as number;
      longest[n] = places[n - 1] === number ? diagonal + 1 : Math.max(above, longest[n - 1] as number);
      diagonal = above;
    }
  }
  return longest.at(-1) as number;
}

/** Longer texts are compared by their beginning: the work grows with the product of their lengths. */
const WORDS_COMPARED_MAX = 2_000;

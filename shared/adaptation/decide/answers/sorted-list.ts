/** Longest list that is sorted. */
const ITEMS_MAX = 60;

const ORDER = /\b(?:sort|order|arrange|put|list|rank)\b([^:\n]{0,80}):\s{0,3}([^\n]{3,800})/i;
const QUOTED_REST = /^\s{0,2}\n/;
const DESCENDING =
  /\bdescending\b|\breverse(?:d)? (?:alphabetical )?order\b|\breverse alphabetical|\b(?:largest|highest|biggest|greatest) (?:to|first)|\bz to a\b|\bfrom (?:largest|highest|biggest|greatest)/i;
const ALPHABETICAL = /\balphabetical(?:ly)?\b|\ba to z\b/i;
const NUMERICAL =
  /\b(?:ascending|descending|numerical(?:ly)?|smallest|lowest|largest|highest|biggest|greatest|increasing|decreasing)\b/i;
/** Other orders than that of the items themselves. */
const OTHER_ORDER =
  /\b(?:by|length|size of|population|last name|surname|according|date|year|price|second|except|but|without|unique|remove)\b/i;

/**
 * The list that a request asks to sort, sorted as the answer writes it, if the answer has the same items in another order;
 * null if it has the right order or other items, or if the order is not certain.
 */
export function sortedList(asked: string, answer: string): string | null {
  const [, how = '', listed = ''] = ORDER.exec(asked) ?? [];
  if (listed === '' || OTHER_ORDER.test(how) || QUOTED_REST.test(listed)) return null;
  const items = itemsOf(listed.replace(/[.!?]\s*$/, ''));
  const given = itemsOf(answer);
  if (items.length < 3 || items.length > ITEMS_MAX || items.length !== given.length) return null;
  const compare = comparisonOf(how, items);
  if (compare === null || !isSameSet(items, given)) return null;
  const sorted = [...given].sort(compare);
  if (DESCENDING.test(how)) sorted.reverse();
  if (sorted.every((item, n) => item === given[n])) return null;
  return rewrite(answer, given, sorted);
}

const itemsOf = (text: string): string[] =>
  text
    .split(/,|\n|;/)
    .map((item) => item.trim())
    .filter((item) => item !== '');

function comparisonOf(how: string, items: readonly string[]): ((a: string, b: string) => number) | null {
  const keys = items.map((item) => item.toLowerCase());
  // Equal items have several right orders.
  if (new Set(keys).size !== keys.length) return null;
  if (ALPHABETICAL.test(how)) {
    return items.every((item) => /^[a-z]{1,40}$/i.test(item))
      ? (a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)
      : null;
  }
  return NUMERICAL.test(how) && items.every((item) => /^[-−]?\d{1,12}(?:\.\d{1,6})?$/.test(item))
    ? (a, b) => numberOf(a) - numberOf(b)
    : null;
}

const numberOf = (text: string): number => Number(text.replace('−', '-'));

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [a, b].map((items) =>
    items
      .map((item) => item.toLowerCase())
      .sort()
      .join('\n'),
  );
  return one === other;
}

/** The answer with its items in another order and its separators where they were. */
function rewrite(answer: string, given: readonly string[], sorted: readonly string[]): string | null {
  let text = '';
  let at = 0;
  for (const [n, item] of given.entries()) {
    const found = answer.indexOf(item, at);
    if (found === -1) return null;
    text += answer.slice(at, found) + (sorted[n] ?? '');
    at = found + item.length;
  }
  return text + answer.slice(at);
}

/**
 * Counts the edits that turn one word into another: letters inserted, removed or replaced, and neighbours exchanged
 * (Damerau-Levenshtein distance, optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (beforeLast[j - 2] ?? 0) + 1
          : replaced;
      row.push(Math.min(replaced, exchanged, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

const wordsOf = (name: string): string[] => name.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);

/** Longer words are no misspelling of a name, and comparing them takes long. */
const WORD_CHARACTERS_MAX = 64;
/** Longer names are none that a word of this length misspells: two thirds of it, and signs between its words. */
const NAME_CHARACTERS_MAX = 4 * WORD_CHARACTERS_MAX;

/**
 * Scores how near a name is to a word, 0 for the same but for case and separators; null where they have nothing in
 * common. A name of which one is a part of the other counts as one edit for each word that is missing.
 */
function distanceTo(word: string, name: string): number | null {
  const plain = (text: string): string => wordsOf(text).join('');
  const [asked, known] = [plain(word), plain(name)];
  const editsMax = Math.floor(Math.max(asked.length, known.length) / 3);
  if (Math.abs(asked.length - known.length) <= editsMax) {
    const edits = editDistance(asked, known);
    if (edits <= editsMax) return edits;
  }
  const [fewer = [], more = []] = [wordsOf(word), wordsOf(name)].sort((a, b) => a.length - b.length);
  const isPart = fewer.every((part) => part.length > 2 && more.includes(part));
  return isPart ? 1 + more.length - fewer.length : null;
}

/** Picks the names that are nearest to a misspelt word, nearest first; none where nothing is near. */
export function nearestTo(word: string, names: readonly string[], countMax = 3): string[] {
  if (word.length > WORD_CHARACTERS_MAX) return [];
  return names
    .filter((name) => name.length <= NAME_CHARACTERS_MAX)
    .map((name) => ({ name, distance: distanceTo(word, name) }))
    .filter((each): each is { name: string; distance: number } => each.distance !== null)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, countMax)
    .map(({ name }) => name);
}

/** Maximum number of searches for one request: each of them reads every name. */
const SEARCHES_MAX = 20;

/** The same search, which finds nothing any more after 20 calls. */
export function limitSearches<Arguments extends readonly unknown[]>(
  search: (...args: Arguments) => string[],
): (...args: Arguments) => string[] {
  let searches = 0;
  return (...args) => {
    searches += 1;
    return searches > SEARCHES_MAX ? [] : search(...args);
  };
}

/** Characters of an answer that are read. */
const CHARACTERS_MAX = 2000;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** A mark directly behind a word with which a sentence or a part of one may end. */
const MARK = /^(?:["”’)\]]?[.!?:;,\n\]")”。！？，、；：]|$)/;

/** How often a word has to occur within sentences, so that its place says something. */
const WITHIN_MIN = 1000;
/** The same of a word that its language does not let a sentence end with. */
const WITHIN_OF_KNOWN_MIN = 3;
/** Share of its places at the end of a sentence; one row may break off. */
const ENDING_SHARE_MAX = 0.002;

/** Articles, conjunctions and possessives, which need the word that follows. English prepositions do not: “make fun of.” */
const KNOWN: ReadonlySet<string> = new Set(
  'the a an and or but nor because if unless although whereas than my your our their its every der die das dem den des ein eine einer eines und oder aber weil le la les un une des du de et ou mais avec dans pour par el los las del y o con para por sin il gli della delle e che'.split(
    ' ',
  ),
);

/**
 * The words with which the sentences of a column do not end, as its own texts show: an answer whose last sentence ends with one
 * was cut, also if somebody has closed it with a full stop.
 */
export function learnInnerWords(texts: readonly string[]): ReadonlySet<string> {
  const places = new Map<string, { within: number; ending: number }>();
  for (const text of texts) {
    const read = text.slice(0, CHARACTERS_MAX);
    for (const { 0: word, index } of read.matchAll(WORD)) {
      const name = word.toLowerCase();
      const place = places.get(name) ?? { within: 0, ending: 0 };
      if (MARK.test(read.slice(index + word.length, index + word.length + 2))) place.ending += 1;
      else place.within += 1;
      places.set(name, place);
    }
  }
  const isInner = ([word, { within, ending }]: [string, { within: number; ending: number }]): boolean =>
    within >= (KNOWN.has(word) ? WITHIN_OF_KNOWN_MIN : WITHIN_MIN) &&
    ending <= Math.max(1, ENDING_SHARE_MAX * within);
  return new Set([...places].filter(isInner).map(([word]) => word));
}

/** Whether a text ends with a full stop behind one of the words. */
export function endsWithin(text: string, words: ReadonlySet<string>): boolean {
  // At most 60 characters.
  const last = /([\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*)\s?\.$/u.exec(text.slice(-60))?.[1];
  return last !== undefined && words.has(last.toLowerCase());
}

/** A piece of text that was removed, and what was put there, with the words around it. */
export interface TextChange {
  readonly removed: string;
  readonly inserted: string;
  /** The text before and after it, up to a word each; empty at an end of the text. */
  readonly left: string;
  readonly right: string;
}

/** What somebody did to a text: exchanged one label for another, or changed pieces of it. */
export type Edit =
  | { readonly kind: 'label'; readonly from: string; readonly to: string }
  | { readonly kind: 'text'; readonly changes: readonly TextChange[] };

const LABEL_CHARACTERS_MAX = 60;
const LABEL_WORDS_MAX = 4;
/** A shorter piece says too little without the words around it. */
const TELLING_CHARACTERS = 12;
/** What prose has not, but debris has: a piece with it is telling. */
const UNUSUAL = /[^\p{L}\p{N}\s.,;:!?'"()-]/u;
/** What was put in with more words is about the row itself. */
const INSERTED_WORDS_MAX = 12;
/** Cells of the table of a comparison; texts that differ in more are compared by their common ends alone. */
const TABLE_CELLS_MAX = 4_000_000;

/**
 * Learns what was done to a text, by the smallest edit of words that makes one of the other.
 * @returns null if nothing was done that could be done to another text, such as where text was added alone
 */
export function learnEdit(before: string, after: string): Edit | null {
  if (before === after) return null;
  const [from, to] = [before.trim(), after.trim()];
  if (isNumeric(from)) return null;
  if (from !== to && isLabel(from) && isLabel(to)) return { kind: 'label', from, to };
  const all = changesOf(before, after);
  // Another text in the place of the whole is about the row itself.
  if (all.reduce((sum, { removed }) => sum + lettersIn(removed), 0) === lettersIn(before)) return null;
  const changes = all.filter(
    ({ removed, inserted }) => removed.trim() !== '' && wordsIn(inserted) <= INSERTED_WORDS_MAX,
  );
  return changes.length === 0 ? null : { kind: 'text', changes };
}

export interface AppliedEdit {
  readonly text: string;
  /** How alike the places are, from 0 to 1: the share of the changes that were made, and of the words around them. */
  readonly similarity: number;
}

/** Does to a text what was done to another; null if there is no place for it, or nothing would change. */
export function applyEdit(edit: Edit, text: string): AppliedEdit | null {
  if (edit.kind === 'label') {
    return text.trim() === edit.from ? { text: text.replace(edit.from, () => edit.to), similarity: 1 } : null;
  }
  let changed = text;
  let alike = 0;
  for (const change of edit.changes) {
    const made = applyChange(change, changed);
    if (made === null) continue;
    changed = made.text;
    alike += made.similarity;
  }
  return changed === text || changed.trim() === ''
    ? null
    : { text: changed, similarity: alike / edit.changes.length };
}

/** Pieces of text of which one is in every text that an edit can be made to. */
export function needlesOf(edit: Edit): string[] {
  if (edit.kind === 'label') return [edit.from];
  return edit.changes.map((change) => (isTelling(change.removed) ? change.removed : within(change)));
}

/** Whether a text is a label, and no sentence. */
function isLabel(text: string): boolean {
  return (
    text !== '' &&
    text.length <= LABEL_CHARACTERS_MAX &&
    !/[\n\r.,;!?。！？]/u.test(text) &&
    wordsIn(text) <= LABEL_WORDS_MAX
  );
}

/** Whether a text is an amount: that one is wrong says nothing of the same one elsewhere. */
const isNumeric = (text: string): boolean => /^[\d\s.,:%$€£+-]+$/u.test(text);

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0;
const isTelling = (text: string): boolean =>
  text.trim().length >= TELLING_CHARACTERS || (text.trim().length > 2 && UNUSUAL.test(text));

const within = ({ left, removed, right }: TextChange): string => `${left}${removed}${right}`;

/**
 * Makes a change wherever its text is, and its words around it if the text alone tells too little. Nothing around it is the end
 * of a text.
 */
function applyChange(change: TextChange, text: string): AppliedEdit | null {
  const { left, removed, inserted, right } = change;
  const isAlone = isTelling(removed);
  const begin = text.length - text.trimStart().length;
  const close = text.trimEnd().length;
  const parts: string[] = [];
  let places = 0;
  let alike = 0;
  let from = 0;
  for (let at = text.indexOf(removed); at !== -1; at = text.indexOf(removed, at + removed.length)) {
    if (at < from || !isWhole(text, at, removed)) continue;
    const end = at + removed.length;
    const isLeft = left === '' ? at <= begin : text.startsWith(left, at - left.length);
    const isRight = right === '' ? end >= close : text.startsWith(right, end);
    if (!isAlone && !(isLeft && isRight)) continue;
    parts.push(text.slice(from, at), inserted);
    from = end;
    places += 1;
    alike += (1 + (isLeft ? 0.5 : 0) + (isRight ? 0.5 : 0)) / 2;
  }
  if (places === 0) return null;
  parts.push(text.slice(from));
  return { text: parts.join(''), similarity: alike / places };
}

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a place neither begins nor ends within a word. */
function isWhole(text: string, at: number, removed: string): boolean {
  const isLetter = (place: number): boolean => LETTER.test(text[place] ?? '');
  const end = at + removed.length;
  return !(isLetter(at - 1) && isLetter(at)) && !(isLetter(end - 1) && isLetter(end));
}

/** Words, runs of blanks, and single other characters. */
const TOKEN = /[\p{L}\p{N}\p{M}_']+|\s+|[^\p{L}\p{N}\p{M}_'\s]/gu;

/** The pieces in which two texts differ. */
function changesOf(before: string, after: string): TextChange[] {
  const [a, b] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const common = commonOf(a.slice(start, endA), b.slice(start, endB));
  return spansBetween(common, { start, endA, endB }, a).map(([fromA, toA, fromB, toB]) => ({
    removed: a.slice(fromA, toA).join(''),
    inserted: b.slice(fromB, toB).join(''),
    left: aroundOf(a.slice(0, fromA).reverse()).reverse().join(''),
    right: aroundOf(a.slice(toA)).join(''),
  }));
}

/** The tokens up to the first word. */
function aroundOf(tokens: readonly string[]): string[] {
  const word = tokens.findIndex((token) => token.trim() !== '');
  return word === -1 ? [] : tokens.slice(0, word + 1);
}

type Span = readonly [fromA: number, toA: number, fromB: number, toB: number];

/** The spans between the common tokens of two texts; differences that only a blank parts are one. */
function spansBetween(
  common: readonly (readonly [a: number, b: number])[],
  { start, endA, endB }: { readonly start: number; readonly endA: number; readonly endB: number },
  a: readonly string[],
): Span[] {
  const spans: [number, number, number, number][] = [];
  let [nextA, nextB] = [start, start];
  const add = (toA: number, toB: number): void => {
    if (toA === nextA && toB === nextB) return;
    const last = spans.at(-1);
    const isNear = last !== undefined && a.slice(last[1], nextA).join('').trim() === '';
    if (isNear) [last[1], last[3]] = [toA, toB];
    else spans.push([nextA, toA, nextB, toB]);
  };
  for (const [place, other] of common) {
    add(start + place, start + other);
    [nextA, nextB] = [start + place + 1, start + other + 1];
  }
  add(endA, endB);
  return spans;
}

/** The places of a longest common sequence of tokens, in both; none if the texts are too long for a table. */
function commonOf(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  if ((a.length + 1) * width > TABLE_CELLS_MAX) return [];
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => table[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      common.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}

/** Non-starters that may follow each other, as in the Stream-Safe Text Format of Unicode (UAX #15, section 13). */
const RUN_MAX = 30;
const BEYOND_ASCII = /[\u0080-\uffff]/;
/** Stands between two runs, and has no other effect. */
const JOINER = '\u034f';

/** Marks; and two letters that NFKC makes marks of. */
const MARK = /[\p{M}\uff9e\uff9f]/u;
/** As many marks as a run may have, before another one. Of bounded length: a longer match would exhaust the stack. */
const FULL_RUNS = new RegExp(
  `(?:(?!${JOINER})[\\p{M}\\uff9e\\uff9f]){${RUN_MAX}}(?=(?!${JOINER})[\\p{M}\\uff9e\\uff9f])`,
  'gu',
);

/** Whether a unit of a text is a mark, or half of a character that may be one. */
function isMark(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x300 && ((unit >= 0xd800 && unit <= 0xdfff) || MARK.test(text.charAt(at)));
}

/** Whether a run may be too long, by units: a longer one covers one of every `RUN_MAX` + 1 places. */
function mayHaveLongRun(text: string): boolean {
  for (let at = RUN_MAX; at < text.length; at += RUN_MAX + 1) {
    if (!isMark(text, at)) continue;
    let [first, last] = [at, at];
    while (last - first < RUN_MAX && isMark(text, first - 1)) first -= 1;
    while (last - first < RUN_MAX && isMark(text, last + 1)) last += 1;
    if (last - first === RUN_MAX) return true;
  }
  return false;
}

/**
 * A text in a normal form of Unicode. Longer runs of combining marks than any language has are broken: the time to
 * normalize a run grows with its square.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC'): string {
  // Of ASCII alone each form is the text itself.
  if (!BEYOND_ASCII.test(text)) return text;
  const safe = mayHaveLongRun(text) ? text.replaceAll(FULL_RUNS, `$&${JOINER}`) : text;
  return safe.normalize(form);
}

/** Characters that are normalized together. One of them becomes 18 at most (U+FDFA). */
const PIECE_CHARACTERS = 50_000;

/**
 * The beginning of a text in a normal form of Unicode: the whole of one that has no more than `charactersMax` in it, so
 * that no text takes more time or memory than its size lets expect.
 */
export function normalizedBeginning(text: string, form: 'NFC' | 'NFKC', charactersMax: number): string {
  let normal = '';
  for (let from = 0; from < text.length && normal.length < charactersMax; ) {
    const to = pieceEnd(text, from);
    normal += normalizeText(text.slice(from, to), form);
    from = to;
  }
  return normal;
}

/** Where the piece of a text ends that begins at `from`: between words, where it has white space. */
function pieceEnd(text: string, from: number): number {
  const to = from + PIECE_CHARACTERS;
  if (to >= text.length) return text.length;
  for (let at = to; at > from; at -= 1) if (/\s/.test(text.charAt(at))) return at;
  return to;
}

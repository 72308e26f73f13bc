import type { AlikeRow, ReviewRow, Verdict, VerdictKind } from './contract.ts';

/** What was said of a row. */
export interface Given {
  readonly verdict: VerdictKind;
  /** The right answer, of a mended row. */
  readonly completion: string | null;
}

/** A row that is or was looked at. */
export interface Seen {
  readonly row: ReviewRow;
  /** Null while nothing was said of it. */
  readonly given: Given | null;
  readonly isSkipped: boolean;
  /** Whether it has changed since it was read; it then comes again as it is now. */
  readonly isStale: boolean;
}

/** What was said of a row that was never shown here by itself: one of those alike, or one of an earlier page. */
interface Elsewhere {
  readonly content_hash: string;
  readonly given: Given | null;
}

/** How a row was before something was done; by its number and content. */
interface Before {
  readonly row: number;
  readonly content_hash: string;
  readonly given: Given | null;
  readonly isSkipped: boolean;
}

/** One thing that can be undone. */
interface Deed {
  /** Place that was looked at. */
  readonly at: number;
  readonly before: readonly Before[];
}

/** The rows of a review in the order in which they are shown, and what was done with them. Nothing of it is changed in place. */
export interface ReviewList {
  readonly rows: readonly Seen[];
  /** Place that is looked at; the number of rows after the last one. */
  readonly at: number;
  readonly elsewhere: ReadonlyMap<number, Elsewhere>;
  readonly deeds: readonly Deed[];
}

/**
 * An empty list.
 * @param unsent verdicts that an earlier page has left: their rows are not shown again
 */
export function newList(unsent: readonly Verdict[] = []): ReviewList {
  const elsewhere = new Map<number, Elsewhere>();
  for (const { row, content_hash, verdict, completion } of unsent) {
    const given = verdict === 'none' ? null : { verdict, completion: completion ?? null };
    elsewhere.set(row, { content_hash, given });
  }
  return { rows: [], at: 0, elsewhere, deeds: [] };
}

const isOpen = ({ given, isSkipped, isStale }: Seen): boolean => given === null && !isSkipped && !isStale;

/** The row that is looked at; null after the last one. */
export const shownOf = ({ rows, at }: ReviewList): Seen | null => rows[at] ?? null;

/** How many rows wait for a first look or verdict, and how many were skipped. */
export const openCount = ({ rows }: ReviewList): number => rows.filter(isOpen).length;
export const skippedCount = ({ rows }: ReviewList): number =>
  rows.filter(({ given, isSkipped, isStale }) => isSkipped && given === null && !isStale).length;

/** The next place with an open row after one, or else the first such place; the end without any. */
function nextOpen(rows: readonly Seen[], after: number): number {
  const later = rows.findIndex((seen, place) => place > after && isOpen(seen));
  if (later !== -1) return later;
  const earlier = rows.findIndex(isOpen);
  return earlier === -1 ? rows.length : earlier;
}

/** Adds rows that were read. Those that are known as they are stay where they are. */
export function withRows(list: ReviewList, read: readonly ReviewRow[]): ReviewList {
  const known = new Set(list.rows.map(({ row }) => `${row.row} ${row.content_hash}`));
  const added = read.filter(({ row, content_hash }) => {
    const elsewhere = list.elsewhere.get(row);
    const isSaid = elsewhere?.content_hash === content_hash && elsewhere.given !== null;
    return !isSaid && !known.has(`${row} ${content_hash}`);
  });
  if (added.length === 0) return list;
  const changed = new Set(added.map(({ row }) => row));
  // A row that comes with other content has changed since it was read.
  const rows = [
    ...list.rows.map((seen) => (changed.has(seen.row.row) ? { ...seen, isStale: true } : seen)),
    ...added.map((row) => ({
      row,
      given: null,
      isSkipped: false,
      isStale: false,
    })),
  ];
  const shown = rows[list.at];
  // What is looked at stays, unless it has changed and nothing was said of it.
  const isPassed = shown === undefined || (shown.isStale && shown.given === null);
  return { ...list, rows, at: isPassed ? nextOpen(rows, list.at - 1) : list.at };
}

/**
 * Adds rows that were read after witnesses have looked: what they doubt comes first, in the place of the rows ahead. The row
 * that is looked at stays, with what is said of it now.
 */
export function withLook(list: ReviewList, read: readonly ReviewRow[]): ReviewList {
  const now = new Map(read.map((row) => [`${row.row} ${row.content_hash}`, row]));
  const shown = shownOf(list);
  const kept = list.rows
    .filter((seen, place) => place === list.at || !isOpen(seen))
    .map((seen) => ({ ...seen, row: now.get(`${seen.row.row} ${seen.row.content_hash}`) ?? seen.row }));
  const at = shown === null ? kept.length : kept.findIndex(({ row }) => row.row === shown.row.row);
  return withRows({ ...list, rows: kept, at }, read);
}

function withShown(list: ReviewList, change: Partial<Seen>): ReviewList {
  const shown = shownOf(list);
  if (shown === null) return list;
  const rows = list.rows.map((seen, place) => (place === list.at ? { ...seen, ...change } : seen));
  const { row, given, isSkipped } = shown;
  const deed = { at: list.at, before: [{ ...keyOf(row), given, isSkipped }] };
  return { ...list, rows, at: nextOpen(rows, list.at), deeds: [...list.deeds, deed] };
}

const keyOf = ({ row, content_hash }: Pick<ReviewRow, 'row' | 'content_hash'>) => ({ row, content_hash });

const verdictOf = (of: Pick<ReviewRow, 'row' | 'content_hash'>, given: Given | null): Verdict => ({
  ...keyOf(of),
  verdict: given?.verdict ?? 'none',
  ...(given === null || given.completion === null ? {} : { completion: given.completion }),
});

/** Says something of the row that is looked at, and goes on. */
export function judge(
  list: ReviewList,
  given: Given,
): { readonly list: ReviewList; readonly verdicts: readonly Verdict[] } {
  const shown = shownOf(list);
  if (shown === null || shown.isStale) return { list, verdicts: [] };
  return {
    list: withShown(list, { given, isSkipped: false }),
    verdicts: [{ ...verdictOf(shown.row, given), drawn_as: shown.row.drawn_as }],
  };
}

/** Puts the row that is looked at to the end. */
export const skip = (list: ReviewList): ReviewList =>
  shownOf(list)?.given === null ? withShown(list, { isSkipped: true }) : step(list, 1);

/** Looks at the row before or after, whatever was said of it. */
export const step = (list: ReviewList, by: 1 | -1): ReviewList => ({
  ...list,
  at: Math.min(Math.max(0, list.at + by), list.rows.length),
});

/** Looks at the skipped rows again. */
export function takeUpSkipped(list: ReviewList): ReviewList {
  const rows = list.rows.map((seen) => (seen.isSkipped ? { ...seen, isSkipped: false } : seen));
  return { ...list, rows, at: nextOpen(rows, -1) };
}

/** Accepts what is proposed for rows alike: they are mended, wherever they stand. */
export function acceptAlike(
  list: ReviewList,
  accepted: readonly AlikeRow[],
): { readonly list: ReviewList; readonly verdicts: readonly Verdict[] } {
  if (accepted.length === 0) return { list, verdicts: [] };
  const proposals = new Map(accepted.map((each) => [`${each.row} ${each.content_hash}`, each]));
  const before: Before[] = [];
  const rows = list.rows.map((seen) => {
    const alike = proposals.get(`${seen.row.row} ${seen.row.content_hash}`);
    if (alike === undefined) return seen;
    before.push({ ...keyOf(seen.row), given: seen.given, isSkipped: seen.isSkipped });
    proposals.delete(`${seen.row.row} ${seen.row.content_hash}`);
    return { ...seen, given: mendedBy(alike), isSkipped: false };
  });
  const elsewhere = new Map(list.elsewhere);
  for (const alike of proposals.values()) {
    const known = elsewhere.get(alike.row);
    const given = known?.content_hash === alike.content_hash ? known.given : null;
    before.push({ ...keyOf(alike), given, isSkipped: false });
    elsewhere.set(alike.row, { content_hash: alike.content_hash, given: mendedBy(alike) });
  }
  const shown = rows[list.at];
  const at = shown === undefined || isOpen(shown) ? list.at : nextOpen(rows, list.at);
  return {
    list: { ...list, rows, elsewhere, at, deeds: [...list.deeds, { at: list.at, before }] },
    verdicts: accepted.map((alike) => verdictOf(alike, mendedBy(alike))),
  };
}

const mendedBy = ({ proposal }: AlikeRow): Given => ({ verdict: 'mended', completion: proposal });

/** Whether a row, as it is, needs no other text: it was called right, or mended. */
export const isSettled = (list: ReviewList, of: Pick<ReviewRow, 'row' | 'content_hash'>): boolean => {
  const settles = (given: Given | null): boolean => given !== null && given.verdict !== 'wrong';
  const elsewhere = list.elsewhere.get(of.row);
  return (
    (elsewhere?.content_hash === of.content_hash && settles(elsewhere.given)) ||
    list.rows.some(
      ({ row, given }) => row.row === of.row && row.content_hash === of.content_hash && settles(given),
    )
  );
};

/** Takes back what was done last, and looks at the row again. What was said before is said again. */
export function undo(list: ReviewList): {
  readonly list: ReviewList;
  readonly verdicts: readonly Verdict[];
} {
  const deed = list.deeds.at(-1);
  if (deed === undefined) return { list, verdicts: [] };
  const earlier = new Map(deed.before.map((each) => [`${each.row} ${each.content_hash}`, each]));
  const verdicts: Verdict[] = [];
  const rows = list.rows.map((seen) => {
    const was = earlier.get(`${seen.row.row} ${seen.row.content_hash}`);
    if (was === undefined) return seen;
    earlier.delete(`${seen.row.row} ${seen.row.content_hash}`);
    if (seen.given !== was.given) verdicts.push(verdictOf(seen.row, was.given));
    return { ...seen, given: was.given, isSkipped: was.isSkipped };
  });
  const elsewhere = new Map(list.elsewhere);
  for (const was of earlier.values()) {
    verdicts.push(verdictOf(was, was.given));
    elsewhere.set(was.row, { content_hash: was.content_hash, given: was.given });
  }
  return {
    list: { ...list, rows, elsewhere, at: deed.at, deeds: list.deeds.slice(0, -1) },
    verdicts,
  };
}

/** Marks rows that have changed since they were read: what was said of them was not recorded. */
export function markStale(list: ReviewList, stale: readonly Verdict[]): ReviewList {
  const changed = new Set(stale.map(({ row, content_hash }) => `${row} ${content_hash}`));
  const rows = list.rows.map((seen) =>
    changed.has(`${seen.row.row} ${seen.row.content_hash}`) ? { ...seen, given: null, isStale: true } : seen,
  );
  const elsewhere = new Map(
    [...list.elsewhere].filter(([row, { content_hash }]) => !changed.has(`${row} ${content_hash}`)),
  );
  const shown = rows[list.at];
  const at = shown?.isStale === true ? nextOpen(rows, list.at) : list.at;
  return { ...list, rows, elsewhere, at };
}

import type { ExpansionTarget } from '#shared/runs/schema/expansion.ts';
import type { DiffKind } from '../../schema/diff.ts';

/** A row of a version. */
export interface VersionRow {
  /** Number of the row of the source, or of the one that it is made of. */
  readonly row: number;
  /** What it was made for; null for a row of the source. */
  readonly target: ExpansionTarget | null;
  /** The text of every compared column; null for a null or missing cell. */
  readonly cells: readonly (string | null)[];
}

/** A row in both versions, or in one of them. */
export interface ComparedRow extends Pick<VersionRow, 'row' | 'target'> {
  readonly kind: DiffKind | 'unchanged';
  readonly before: VersionRow['cells'] | null;
  readonly after: VersionRow['cells'] | null;
}

/** Rows with one number: that of the source, or all that were made of it. */
interface Group {
  /** Rows of the source come before all that were made of them. */
  readonly order: readonly [isMade: number, row: number];
  readonly rows: Map<string, VersionRow>;
}

/**
 * Compares the rows of two versions: each gives those of the source by their numbers, then those that a run added, by the
 * numbers of the rows that they are made of. Rows are the same by number, and added ones by number and language. Holds one
 * row of each, with its languages.
 */
export async function* compareRows(
  before: AsyncIterable<VersionRow>,
  after: AsyncIterable<VersionRow>,
): AsyncGenerator<ComparedRow> {
  const olds = groupsOf(before);
  const news = groupsOf(after);
  try {
    let [old, now] = await Promise.all([olds.next(), news.next()]);
    while (old.done !== true || now.done !== true) {
      const order = compareGroups(old.value ?? null, now.value ?? null);
      yield* compareGroup(order <= 0 ? old.value : null, order >= 0 ? now.value : null);
      if (order <= 0) old = await olds.next();
      if (order >= 0) now = await news.next();
    }
  } finally {
    await Promise.all([olds.return(null), news.return(null)]);
  }
}

async function* groupsOf(rows: AsyncIterable<VersionRow>): AsyncGenerator<Group, null> {
  let group: Group | null = null;
  for await (const row of rows) {
    const order = [row.target === null ? 0 : 1, row.row] as const;
    if (group === null || group.order[0] !== order[0] || group.order[1] !== order[1]) {
      if (group !== null) yield group;
      group = { order, rows: new Map() };
    }
    group.rows.set(`${row.target?.language} ${row.target?.country}`, row);
  }
  if (group !== null) yield group;
  return null;
}

/** Negative if only the first has the next row, positive if only the second has it. */
function compareGroups(a: Group | null, b: Group | null): number {
  if (a === null) return 1;
  if (b === null) return -1;
  return a.order[0] - b.order[0] || a.order[1] - b.order[1];
}

function* compareGroup(old: Group | null, now: Group | null): Generator<ComparedRow> {
  for (const [key, { row, target, cells: before }] of old?.rows ?? []) {
    const after = now?.rows.get(key)?.cells ?? null;
    const isSame = after !== null && before.every((cell, n) => cell === after[n]);
    const kind = after === null ? 'removed' : isSame ? 'unchanged' : 'changed';
    yield { kind, row, target, before, after };
  }
  for (const [key, { row, target, cells: after }] of now?.rows ?? []) {
    if (old?.rows.has(key) !== true) yield { kind: 'added', row, target, before: null, after };
  }
}

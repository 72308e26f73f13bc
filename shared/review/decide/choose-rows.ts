import type { ReviewRow } from '../schema/review.ts';
import { auditOrder } from './audit-order.ts';
import type { RowOpinion } from './judge-rows.ts';
import { partsOf } from './row-parts.ts';
import type { VerdictRecord } from './verdict.ts';
import type { Doubted } from './witness-record.ts';

/** A row is worth a look for its doubt from this probability of being wrong on. */
export const WORTH_A_LOOK_MIN = 0.1;
/** Rows drawn at random from which a grade follows. */
export const AUDIT_ROWS = 30;
/** Every third row is drawn at random. */
const AUDIT_EVERY = 3;
/** Rows drawn next that count as drawn, also where reviewers skip some, or several review at once. */
const AUDIT_AHEAD = 100;

export interface Reviewed {
  /** Names the dataset: its rows are drawn in the same order at each request. */
  readonly seed: string;
  readonly rows: number;
  readonly isDelivered: (row: number) => boolean;
  /** Rows that are doubted: the probability that each is wrong, as it was stated, and as verdicts have corrected it. */
  readonly doubts: readonly {
    readonly row: number;
    readonly by: Doubted;
    readonly stated: number;
    readonly probability: number;
  }[];
  /** The probability that a row is wrong of which the witnesses say nothing; null where none has found a wrong row. */
  readonly silentWrong: number | null;
  readonly opinions: readonly RowOpinion[];
}

export interface Choice {
  /** Rows without a verdict that counts, those that are most worth a look first. */
  readonly rows: readonly Pick<ReviewRow, 'row' | 'drawn_as'>[];
  /** How many rows are worth looking at and have no verdict. */
  readonly worthALook: number;
}

/**
 * Chooses what is to be looked at next: doubtful rows by falling probability, and at every third place a row that is drawn at
 * random among the others, so that verdicts tell of the whole dataset. Reads no text. Rows whose verdicts are all stale are
 * looked at again.
 */
export function chooseRows(reviewed: Reviewed, limit: number): Choice {
  const { opinions } = reviewed;
  const isDone = doneRows(opinions);
  const doubtful = doubtfulRows(reviewed).filter((row) => !isDone.has(row));
  const missing = missingDraws(reviewed);
  const drawn = drawRows(reviewed, isDone, missing, limit);
  const audits = drawn.slice(0, limit);
  const done = opinions.filter(({ says }) => says !== 'stale').length;
  const rows: { row: number; drawn_as: 'doubtful' | 'audit' }[] = [];
  for (let [nextDoubtful, nextAudit] = [0, 0]; rows.length < limit; ) {
    const isAuditsTurn = (done + rows.length) % AUDIT_EVERY === AUDIT_EVERY - 1;
    const hasAudit = nextAudit < audits.length;
    const hasDoubtful = nextDoubtful < doubtful.length;
    if (!hasAudit && !hasDoubtful) break;
    if (hasAudit && (isAuditsTurn || !hasDoubtful)) {
      rows.push({ row: audits[nextAudit++] as number, drawn_as: 'audit' });
    } else rows.push({ row: doubtful[nextDoubtful++] as number, drawn_as: 'doubtful' });
  }
  const wanted = missing.reduce((sum, each) => sum + each, 0);
  return { rows, worthALook: doubtful.length + Math.min(wanted, drawn.length) };
}

/**
 * Says why rows are looked at: for their doubt, as drawn at random, or because their reviewer chose them. A row is drawn if it
 * was shown as such and is among those that come next: one that its reviewer went to may come next by chance.
 */
export function drawnAs(
  reviewed: Reviewed,
): (row: number, shownAs: ReviewRow['drawn_as'] | undefined) => RowOpinion['drawn_as'] {
  const known = new Map(
    reviewed.opinions.map(({ row, drawn_as, says }) => [row, says === 'stale' ? null : drawn_as]),
  );
  const doubtful = statedDoubtful(reviewed);
  const { count } = partsOf(reviewed.rows, reviewed.opinions);
  const ahead = new Array<number>(count).fill(AUDIT_AHEAD);
  const next = new Set(drawRows(reviewed, doneRows(reviewed.opinions), ahead, 0));
  return (row, shownAs) =>
    known.get(row) ??
    (doubtful.has(row) ? 'doubtful' : shownAs === 'audit' && next.has(row) ? 'audit' : 'chosen');
}

/**
 * What a verdict keeps of how its row was drawn: among how many rows, and whether a review has mended it since. A row that was drawn
 * and has changed is looked at anew, and stays one of the draws from the rows that there were then.
 * @param opinion of the row before, if somebody looked at it
 * @param rows that there are now
 */
export function drawnBefore(
  opinion: RowOpinion | undefined,
  rows: number,
): Partial<Pick<VerdictRecord, 'rows' | 'was_wrong'>> {
  if (opinion === undefined || (opinion.says === 'stale' && opinion.drawn_as !== 'audit')) return { rows };
  const { from, says, values, said } = opinion;
  const isMended = says !== 'stale' && said.includes(0) && !values.includes(0);
  return {
    ...(from.rows === undefined ? {} : { rows: from.rows }),
    ...(isMended ? { was_wrong: true } : {}),
  };
}

const doneRows = (opinions: readonly RowOpinion[]): Set<number> =>
  new Set(opinions.filter(({ says }) => says !== 'stale').map(({ row }) => row));

/** The doubtful rows that are delivered and, by the verdicts so far, still worth a look; the most doubtful first. */
function doubtfulRows({ doubts, isDelivered }: Pick<Reviewed, 'doubts' | 'isDelivered'>): number[] {
  return doubts
    .filter(
      ({ row, stated, probability }) =>
        stated >= WORTH_A_LOOK_MIN && probability >= WORTH_A_LOOK_MIN && isDelivered(row),
    )
    .sort((a, b) => b.probability - a.probability || a.row - b.row)
    .map(({ row }) => row);
}

/**
 * The rows from which none is drawn at random. They stay the same while verdicts correct what was stated: rows that
 * were drawn before are a sample of the rest only as long as the rest is the same.
 */
const statedDoubtful = ({ doubts }: Pick<Reviewed, 'doubts'>): Set<number> =>
  new Set(doubts.filter(({ stated }) => stated >= WORTH_A_LOOK_MIN).map(({ row }) => row));

/**
 * How many rows of each part have to be drawn yet: of all that a grade follows from, its share. Rows that were drawn and have
 * changed since are drawn again.
 */
function missingDraws(reviewed: Reviewed): number[] {
  const { rows, opinions, isDelivered } = reviewed;
  const parts = partsOf(rows, opinions);
  const doubtful = statedDoubtful(reviewed);
  const [sizes, drawn, changed] = [0, 0, 0].map(() => new Array<number>(parts.count).fill(0)) as [
    number[],
    number[],
    number[],
  ];
  let size = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isDelivered(row) || doubtful.has(row)) continue;
    sizes[parts.of(row)] = (sizes[parts.of(row)] as number) + 1;
    size += 1;
  }
  for (const { row, says, drawn_as } of opinions) {
    if (drawn_as !== 'audit') continue;
    const counts = says === 'stale' ? changed : drawn;
    if (says !== 'stale' || isDelivered(row)) counts[parts.of(row)] = (counts[parts.of(row)] as number) + 1;
  }
  return sizes.map((of, part) => {
    const needed = Math.ceil((AUDIT_ROWS * of) / Math.max(1, size));
    return Math.max(0, needed - (drawn[part] as number), Math.min(needed, changed[part] as number));
  });
}

/**
 * The next rows that are drawn at random among those that are delivered and not doubtful: those first that were drawn before and
 * have changed since, then those of parts that lack some.
 * @param ofParts how many of each part, as far as there are so many
 * @param count how many at least
 */
function drawRows(
  reviewed: Reviewed,
  isDone: ReadonlySet<number>,
  ofParts: readonly number[],
  count: number,
): number[] {
  const { rows, seed, isDelivered, opinions } = reviewed;
  const parts = partsOf(rows, opinions);
  const doubtful = statedDoubtful(reviewed);
  const isOpen = (row: number): boolean => isDelivered(row) && !isDone.has(row) && !doubtful.has(row);
  const again = opinions
    .filter(({ row, says, drawn_as }) => says === 'stale' && drawn_as === 'audit' && row < rows)
    .map(({ row }) => row);
  const left = [...ofParts];
  let wanted = left.reduce((sum, each) => sum + each, 0);
  const first: number[] = [];
  const others: number[] = [];
  const seen = new Set<number>();
  const take = (row: number): void => {
    if (seen.has(row) || !isOpen(row)) return;
    seen.add(row);
    const part = parts.of(row);
    if ((left[part] as number) > 0) {
      left[part] = (left[part] as number) - 1;
      wanted -= 1;
      first.push(row);
    } else if (others.length < count) others.push(row);
  };
  for (const row of again) take(row);
  const order = auditOrder(rows, seed);
  for (let place = 0; place < rows && (wanted > 0 || others.length < count); place += 1) {
    take(order.rowAt(place));
  }
  return [...first, ...others];
}

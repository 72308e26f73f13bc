import type { ReviewRow } from '../schema/review.ts';
import { auditOrder } from './audit-order.ts';
import type { RowOpinion } from './judge-rows.ts';
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
  const audited = opinions.filter(({ says, drawn_as }) => drawn_as === 'audit' && says !== 'stale').length;
  const missing = Math.max(0, AUDIT_ROWS - audited);
  const drawn = drawRows(reviewed, isDone, Math.max(limit, missing));
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
  return { rows, worthALook: doubtful.length + Math.min(missing, drawn.length) };
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
  const next = new Set(drawRows(reviewed, doneRows(reviewed.opinions), AUDIT_AHEAD));
  return (row, shownAs) =>
    known.get(row) ??
    (doubtful.has(row) ? 'doubtful' : shownAs === 'audit' && next.has(row) ? 'audit' : 'chosen');
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

/** The next rows that are drawn at random among those that are delivered and not doubtful. */
function drawRows(reviewed: Reviewed, isDone: ReadonlySet<number>, count: number): number[] {
  const { rows, seed, isDelivered } = reviewed;
  const doubtful = statedDoubtful(reviewed);
  const order = auditOrder(rows, seed);
  const drawn: number[] = [];
  for (let place = 0; place < rows && drawn.length < count; place += 1) {
    const row = order.rowAt(place);
    if (isDelivered(row) && !isDone.has(row) && !doubtful.has(row)) drawn.push(row);
  }
  return drawn;
}

import type { StoredVerdict } from '../schema/verdict.ts';
import type { VerdictRecord } from './verdict.ts';

/** What the rows have now: the hash of what a version delivers of a row, null if it does not deliver it. */
export type CurrentHash = (row: number) => string | null;

/** What became of the row of a verdict since. */
export function statusOf(verdict: VerdictRecord, current: string | null): StoredVerdict['status'] {
  const { content_hash: seen, mended_hash: mended, verdict: said } = verdict;
  if (current === null) return said === 'wrong' ? 'applied' : 'stale';
  if (current === mended) return 'applied';
  return current === seen ? 'current' : 'stale';
}

/** What the reviewers of a row say together. */
export interface RowOpinion {
  readonly row: number;
  /** `dropped`: a row that was wrong, and is no longer delivered. */
  readonly says: 'right' | 'wrong' | 'mended' | 'disputed' | 'stale' | 'dropped';
  /** The verdict that has the text of a mended row. */
  readonly mended: VerdictRecord | null;
  /** 1 for each reviewer who says that the row is right as it is, 0 for each other one. */
  readonly values: readonly number[];
  /** The same of what the row had when it was looked at first, where a review has given it another text since, or dropped it. */
  readonly said: readonly number[];
  readonly drawn_as: VerdictRecord['drawn_as'];
  /** What it was among when it was looked at. */
  readonly from: Pick<VerdictRecord, 'rows' | 'version' | 'recorded_at'>;
}

/** Whether the rows that nobody looked at are as they were: reviews change no other row, and adaptations change them like those. */
export interface JudgedVersion {
  /** True of rows as they came, and of a version that a review made. */
  readonly isReviewed: boolean;
}

/**
 * What the reviewers say together of each row that has verdicts, in order. Verdicts on a row that changed since count for
 * nothing; those on a row that has its mended text by now say that it is right. Whoever mends a row says that it was wrong,
 * and agrees with who says so.
 * @param verdicts by row
 */
export function judgeRows(
  verdicts: readonly VerdictRecord[],
  currentOf: CurrentHash,
  version: JudgedVersion = REVIEWED,
): RowOpinion[] {
  const opinions: RowOpinion[] = [];
  for (let at = 0; at < verdicts.length; ) {
    const { row } = verdicts[at] as VerdictRecord;
    let end = at;
    while (verdicts[end]?.row === row) end += 1;
    opinions.push(judgeRow(verdicts.slice(at, end), currentOf(row), version));
    at = end;
  }
  return opinions;
}

/** The same of one row. @param verdicts of the row, one at least */
export function judgeRow(
  verdicts: readonly VerdictRecord[],
  current: string | null,
  { isReviewed }: JudgedVersion = REVIEWED,
): RowOpinion {
  const [{ row }] = verdicts as [VerdictRecord];
  const valid = verdicts.filter((verdict) => statusOf(verdict, current) !== 'stale');
  const counted = valid.length === 0 ? verdicts : valid;
  const drawn_as = (['audit', 'doubtful', 'chosen'] as const).find((each) =>
    counted.some((verdict) => verdict.drawn_as === each),
  ) as VerdictRecord['drawn_as'];
  const { rows, version, recorded_at } = counted.reduce((first, each) =>
    each.recorded_at < first.recorded_at ? each : first,
  );
  const from = { version, recorded_at, ...(rows === undefined ? {} : { rows }) };
  const of = { row, drawn_as, from, mended: null, values: [], said: [] };
  if (valid.length === 0) return { ...of, says: 'stale' };
  if (current === null) return { ...of, said: isReviewed ? [0] : [], says: 'dropped' };
  const isRight = ({ verdict, mended_hash }: VerdictRecord): boolean =>
    verdict === 'right' || mended_hash === current;
  const values = valid.map((verdict) => (isRight(verdict) ? 1 : 0));
  const said = isReviewed ? (saidBefore(verdicts, current) ?? values) : values;
  const right = values.filter((value) => value === 1).length;
  if (right === values.length) return { ...of, values, said, says: 'right' };
  const mended = valid.filter(({ verdict }) => verdict === 'mended');
  const isSameText = mended.every(({ mended_hash: hash }) => hash === mended[0]?.mended_hash);
  if (right > 0 || !isSameText) return { ...of, values, said, says: 'disputed' };
  return mended[0] === undefined
    ? { ...of, values, said, says: 'wrong' }
    : { ...of, values, said, says: 'mended', mended: mended[0] };
}

const REVIEWED: JudgedVersion = { isReviewed: true };

/** What reviewers said of the text that a row had before it got the one that it has from them; null if it has the text still. */
function saidBefore(verdicts: readonly VerdictRecord[], current: string): number[] | null {
  if (verdicts.some(({ was_wrong, content_hash }) => was_wrong === true && content_hash === current))
    return [0];
  const applied = verdicts.find(({ mended_hash }) => mended_hash === current);
  if (applied === undefined) return null;
  return verdicts
    .filter(({ content_hash }) => content_hash === applied.content_hash)
    .map(({ verdict }) => (verdict === 'right' ? 1 : 0));
}

/** Rows by what their reviewers say. Those that were dropped are none any more. */
export function countOpinions(opinions: readonly RowOpinion[]) {
  const counts = { right: 0, wrong: 0, mended: 0, disputed: 0, stale: 0 };
  for (const { says } of opinions) if (says !== 'dropped') counts[says] += 1;
  return counts;
}

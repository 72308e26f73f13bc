import { gradeOf } from '#shared/judging/decide/grade.ts';
import { logOddsInterval } from '#shared/judging/decide/statistics.ts';
import {
  estimateWithVerdicts,
  type KnownRows,
  type VerdictInput,
} from '#shared/judging/decide/verdict-estimate.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import { WRONG_SHARE } from '#shared/witnesses/decide/doubtful.ts';
import type { ReviewGrade } from '../schema/review.ts';
import { type Reviewed, WORTH_A_LOOK_MIN } from './choose-rows.ts';
import type { RowOpinion } from './judge-rows.ts';
import { partsOf } from './row-parts.ts';
import { STATED_WORTH } from './witness-record.ts';

/** Verdicts that what the witnesses say counts for. */
const WITNESSES_WORTH = 20;
const NORMAL_975 = 1.96;

/**
 * Grades the delivered rows of a dataset by verdicts and by what the witnesses predict: ten times the share of right rows.
 * Wrong and mended rows count as wrong until they have another text.
 *
 * Rows that were stated as doubtful count for themselves: by their verdict, or else by what verdicts on others have made of their
 * doubt. The rows that were drawn at random stand for all others, by what they were when they were drawn: a review mends those
 * that people have seen, and leaves the rest as it is.
 * @returns null while neither people nor witnesses have said anything
 */
export function gradeRows({
  rows,
  isDelivered,
  doubts,
  silentWrong,
  opinions,
}: Omit<Reviewed, 'seed'>): ReviewGrade | null {
  const doubtOf = new Map(
    doubts.filter(({ row }) => row < rows && isDelivered(row)).map((doubt) => [doubt.row, doubt]),
  );
  /** The place of each row among those from which rows are drawn at random; -1 of others. */
  const places = new Int32Array(rows).fill(-1);
  const predicted: number[] = [];
  let delivered = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isDelivered(row)) continue;
    delivered += 1;
    const doubt = doubtOf.get(row);
    if ((doubt?.stated ?? 0) >= WORTH_A_LOOK_MIN) continue;
    places[row] = predicted.push(1 - (doubt?.stated ?? silentWrong ?? WRONG_SHARE)) - 1;
  }
  if (delivered === 0) return null;

  const silent = predicted.reduce((sum, each) => sum + each, 0);
  const doubtful = [...doubtOf.values()].filter(({ row }) => places[row] === -1);
  const besides = knownOf(
    doubtful,
    opinions.filter(({ values, row }) => values.length > 0 && row < rows && isDelivered(row)),
  );
  // A row that a review has dropped was there to be drawn.
  const dropped = opinions.filter(
    ({ row, says, said, drawn_as }) =>
      says === 'dropped' && said.length > 0 && row < rows && drawn_as !== 'doubtful',
  );
  for (const { row } of dropped) places[row] = predicted.push(1 - (silentWrong ?? WRONG_SHARE)) - 1;
  const estimate = estimateWithVerdicts({
    predictions: predicted,
    besides,
    ...drawnAmong({ rows, opinions, places, placed: predicted.length, others: delivered - doubtful.length }),
  });
  const doubted = doubtful.reduce((sum, { stated }) => sum + 1 - stated, 0);
  const alone =
    silentWrong === null && doubts.length === 0 ? null : witnessesAlone((silent + doubted) / delivered);
  const ofVerdicts = estimate === null ? null : scoreOf(estimate.mean, estimate.interval95);
  const isByWitnesses = alone !== null && (ofVerdicts === null || saysMore(alone, ofVerdicts));
  const grade = isByWitnesses ? alone : ofVerdicts;
  if (grade === null) return null;
  return {
    ...grade,
    grade: gradeOf(grade.score),
    verdicts: isByWitnesses ? 0 : (estimate?.verdicts ?? 0),
    without_verdicts: alone,
  };
}

/**
 * What was drawn among the rows outside the stated doubts, as it was then, and what has become of them. Rows that reviewers chose
 * were there to be drawn for those draws alone that came before (Des Raj 1956), and are what they are; so are rows that were
 * doubtful when they were looked at, which were there for none.
 * @param places of rows among them, -1 of others
 * @param placed how many there are
 * @param others how many of them are delivered
 */
function drawnAmong({
  rows,
  opinions,
  places,
  placed,
  others,
}: Pick<Reviewed, 'rows' | 'opinions'> & {
  readonly places: Int32Array;
  readonly placed: number;
  readonly others: number;
}): Pick<VerdictInput, 'verdicts' | 'changed' | 'weights' | 'parts' | 'seen' | 'since'> {
  const rowParts = partsOf(rows, opinions);
  const parts = new Uint32Array(placed);
  if (rowParts.count > 1) {
    for (const [row, place] of places.entries()) if (place >= 0) parts[place] = rowParts.of(row);
  }
  const weights = new Float64Array(placed).fill(1);
  const verdicts = new Map<number, readonly number[]>();
  const changed = new Set<number>();
  const drawnAt: string[][] = Array.from({ length: rowParts.count }, () => []);
  const here = opinions.filter(({ row }) => row < rows && (places[row] as number) >= 0);
  for (const { row, says, said, drawn_as, from } of here) {
    if (drawn_as !== 'audit') continue;
    if (says === 'stale') changed.add(places[row] as number);
    else {
      verdicts.set(places[row] as number, said);
      drawnAt[rowParts.of(row)]?.push(from.recorded_at);
    }
  }
  for (const times of drawnAt) times.sort();
  const seen = { looked: 0, lookedRight: 0 };
  let [there, right] = [placed, 0];
  for (const { row, says, values, said, drawn_as, from } of here) {
    if (says === 'stale') continue;
    const isDrawn = drawn_as === 'audit';
    const times = drawnAt[rowParts.of(row)] as string[];
    const weight = isDrawn ? 1 : drawn_as === 'doubtful' ? 0 : shareUpTo(times, from.recorded_at);
    weights[places[row] as number] = weight;
    there -= 1 - weight;
    const now = says === 'dropped' ? 0 : meanOf(values);
    right += now - weight * meanOf(said);
    seen.looked += (says === 'dropped' ? 0 : 1) - (isDrawn ? 1 : 0);
    seen.lookedRight += now - (isDrawn ? meanOf(said) : 0);
  }
  return { verdicts, changed, weights, parts, seen, since: { rows: others - there, right } };
}

/** The share of times that are not after another one; 0 of none. @param times in order */
function shareUpTo(times: readonly string[], at: string): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as string) <= at) low = middle + 1;
    else high = middle;
  }
  return times.length === 0 ? 0 : low / times.length;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

type Score = NonNullable<ReviewGrade['without_verdicts']>;

const scoreOf = (mean: number, [low, high]: readonly [number, number]): Score => ({
  score: tenths(mean),
  score_interval: [tenths(low), tenths(high)],
});

/** Few verdicts say less than the witnesses do, unless they contradict them. */
function saysMore(witnesses: Score, verdicts: Score): boolean {
  const width = ({ score_interval: [low, high] }: Score): number => high - low;
  const [low, high] = verdicts.score_interval;
  return width(witnesses) < width(verdicts) && low <= witnesses.score && witnesses.score <= high;
}

/** What is known of the doubtful rows: of those with verdicts what people said, of the others what the witnesses say. */
function knownOf(doubtful: Reviewed['doubts'], said: readonly RowOpinion[]): KnownRows {
  const valuesOf = new Map(said.map(({ row, values }) => [row, values]));
  const known = { rows: doubtful.length, right: 0, variance: 0, looked: 0, lookedRight: 0 };
  for (const some of groupBy(doubtful, ({ by }) => `${by.witness}/${by.kind}`).values()) {
    const reviewed = some.filter(({ row }) => valuesOf.has(row));
    const { looked, lookedRight } = lookedAt(
      reviewed.map(({ row }) => ({ values: valuesOf.get(row) ?? [] })),
    );
    known.looked += looked;
    known.lookedRight += lookedRight;
    const rest = some.length - looked;
    const wrong = some.reduce((sum, { row, probability }) => sum + (valuesOf.has(row) ? 0 : probability), 0);
    const share = rest === 0 ? 0 : wrong / rest;
    const ofShare = (share * (1 - share)) / (STATED_WORTH + looked + 1);
    known.right += lookedRight + rest - wrong;
    known.variance += rest ** 2 * ofShare + rest * share * (1 - share);
  }
  return known;
}

/** Rows with verdicts, and how many of them are right. */
function lookedAt(said: readonly Pick<RowOpinion, 'values'>[]): Pick<KnownRows, 'looked' | 'lookedRight'> {
  return { looked: said.length, lookedRight: said.reduce((sum, { values }) => sum + meanOf(values), 0) };
}

/** What predictions alone say. They may err, so they count as much as some verdicts. @param mean share of right rows */
function witnessesAlone(mean: number): Score {
  const [right, wrong] = [WITNESSES_WORTH * mean + 0.5, WITNESSES_WORTH * (1 - mean) + 0.5];
  const within = right / (right + wrong);
  const variance = (within * (1 - within)) / (right + wrong + 1);
  const [low, high] = logOddsInterval(within, variance, NORMAL_975);
  return scoreOf(mean, [Math.min(mean, low), Math.max(mean, high)]);
}

/** A share as a score of 0 to 10, to two decimals. */
const tenths = (share: number): number => Math.round(share * 1000) / 100;

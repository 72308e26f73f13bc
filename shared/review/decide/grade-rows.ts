import { gradeOf } from '#shared/judging/decide/grade.ts';
import { logOddsInterval } from '#shared/judging/decide/statistics.ts';
import { estimateWithVerdicts, type KnownRows } from '#shared/judging/decide/verdict-estimate.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import { WRONG_SHARE } from '#shared/witnesses/decide/doubtful.ts';
import type { ReviewGrade } from '../schema/review.ts';
import { type Reviewed, WORTH_A_LOOK_MIN } from './choose-rows.ts';
import type { RowOpinion } from './judge-rows.ts';
import { STATED_WORTH } from './witness-record.ts';

/** Verdicts that what the witnesses say counts for. */
const WITNESSES_WORTH = 20;
const NORMAL_975 = 1.96;

/**
 * Grades the delivered rows of a dataset by verdicts and by what the witnesses predict: ten times the share of right rows.
 * Wrong and mended rows count as wrong until they have another text.
 *
 * Rows that were stated as doubtful count for themselves: by their verdict, or else by what verdicts on others have made of their
 * doubt. The rows that were drawn at random stand for all others.
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

  const said = opinions.filter(({ row, values }) => values.length > 0 && row < rows && isDelivered(row));
  const others = said.filter(({ row }) => (places[row] as number) >= 0);
  const [drawn, chosen] = [
    others.filter(({ drawn_as }) => drawn_as === 'audit'),
    others.filter(({ drawn_as }) => drawn_as !== 'audit'),
  ];
  const doubtful = [...doubtOf.values()].filter(({ row }) => places[row] === -1);
  const besides = knownOf(doubtful, said);
  const estimate = estimateWithVerdicts({
    predictions: predicted,
    verdicts: new Map(drawn.map(({ row, values }) => [places[row] as number, values])),
    besides,
    seen: lookedAt(chosen),
  });
  const silent = predicted.reduce((sum, each) => sum + each, 0);
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
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, each) => sum + each, 0) / values.length;
  return { looked: said.length, lookedRight: said.reduce((sum, { values }) => sum + mean(values), 0) };
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

import { gradeOf } from '#shared/judging/decide/grade.ts';
import { logOddsInterval } from '#shared/judging/decide/statistics.ts';
import { estimateWithVerdicts } from '#shared/judging/decide/verdict-estimate.ts';
import { WRONG_SHARE } from '#shared/witnesses/decide/blind-rates.ts';
import type { ReviewGrade } from '../schema/review.ts';
import type { Reviewed } from './choose-rows.ts';

/** Verdicts that what the witnesses say counts for. */
const WITNESSES_WORTH = 20;
const NORMAL_975 = 1.96;

/**
 * Grades the delivered rows of a dataset by verdicts and by what the witnesses predict: ten times the share of right rows.
 * Wrong and mended rows count as wrong until they have another text.
 * @returns null while neither people nor witnesses have said anything
 */
export function gradeRows({
  rows,
  isDelivered,
  doubts,
  shareWrong,
  opinions,
}: Omit<Reviewed, 'seed'>): ReviewGrade | null {
  /** The place of each row among those that are delivered; -1 of others. */
  const places = new Int32Array(rows).fill(-1);
  let delivered = 0;
  for (let row = 0; row < rows; row += 1) if (isDelivered(row)) places[row] = delivered++;
  if (delivered === 0) return null;

  const predictions = new Float32Array(delivered);
  const doubted = doubts.filter(({ row }) => row < rows && (places[row] as number) >= 0);
  const sum = doubted.reduce((total, { probability }) => total + probability, 0);
  const silent = delivered - doubted.length;
  const share = shareWrong ?? WRONG_SHARE;
  const ofSilent = silent === 0 ? 0 : Math.min(1, Math.max(0, (share * delivered - sum) / silent));
  predictions.fill(1 - ofSilent);
  for (const { row, probability } of doubted) predictions[places[row] as number] = 1 - probability;

  const said = opinions.filter(
    ({ row, values }) => values.length > 0 && row < rows && (places[row] as number) >= 0,
  );
  const estimate = estimateWithVerdicts({
    predictions,
    verdicts: new Map(said.map(({ row, values }) => [places[row] as number, values])),
    certain: new Set(
      said.filter(({ drawn_as }) => drawn_as !== 'audit').map(({ row }) => places[row] as number),
    ),
  });
  const alone = shareWrong === null && doubts.length === 0 ? null : witnessesAlone(predictions);
  if (estimate === null) {
    return alone === null
      ? null
      : { ...alone, grade: gradeOf(alone.score), verdicts: 0, without_verdicts: alone };
  }
  const score = tenths(estimate.mean);
  const [low, high] = estimate.interval95;
  return {
    score,
    grade: gradeOf(score),
    score_interval: [tenths(low), tenths(high)],
    verdicts: estimate.verdicts,
    without_verdicts: alone,
  };
}

/** What predictions alone say. They may err, so they count as much as some verdicts. */
function witnessesAlone(predictions: Float32Array): NonNullable<ReviewGrade['without_verdicts']> {
  const mean = predictions.reduce((total, each) => total + each, 0) / predictions.length;
  const [right, wrong] = [WITNESSES_WORTH * mean + 0.5, WITNESSES_WORTH * (1 - mean) + 0.5];
  const within = right / (right + wrong);
  const variance = (within * (1 - within)) / (right + wrong + 1);
  const [low, high] = logOddsInterval(within, variance, NORMAL_975);
  return {
    score: tenths(mean),
    score_interval: [tenths(Math.min(mean, low)), tenths(Math.max(mean, high))],
  };
}

/** A share as a score of 0 to 10, to two decimals. */
const tenths = (share: number): number => Math.round(share * 1000) / 100;

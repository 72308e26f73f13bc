import { createHash } from 'node:crypto';
import type { TrainingExample } from '../schema/training-job.ts';

const SHARE = 0.1;
const ROWS_MIN = 20;
/** The most rows that are held out. */
export const HELD_OUT_ROWS_MAX = 200;
/** With fewer rows a win rate is only indicative. */
export const INDICATIVE_BELOW = ROWS_MIN;

/** Number of held-out rows of `rows`: a tenth, at least 20 and at most 200, and never more than half. */
export function heldOutCount(rows: number): number {
  const wanted = Math.min(HELD_OUT_ROWS_MAX, Math.max(ROWS_MIN, Math.round(rows * SHARE)));
  return Math.min(wanted, Math.floor(rows / 2));
}

/** A number in [0, 1). */
export type Fraction = number;

/** A row's draw, from its hash: equal examples have the same draw, so that none is in both parts. */
export function drawOf(example: Omit<TrainingExample, 'row'>): Fraction {
  const { messages, completion, reasoning, chosen, rejected, tools } = example;
  const declared = tools === undefined ? [] : [tools];
  const digest = createHash('sha256')
    .update(JSON.stringify([messages, completion, reasoning, chosen, rejected, ...declared]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/**
 * The draw below which rows are candidates: at least `held` of `rows` distinct ones are below it in all but one of some
 * millions of datasets (the count is binomial; six standard deviations above its mean). If this exceeds half of the
 * rows, all are candidates.
 */
export function candidateThreshold(rows: number, held: number): Fraction {
  if (rows === 0) return 0;
  const share = (held + 6 * Math.sqrt(held) + 6) / rows;
  return share >= 0.5 ? 1 : share;
}

/**
 * The draw up to which candidates are held out: that of the `held`-th distinct example. If all rows are candidates, at
 * least half of the distinct ones remain for training.
 */
export function heldOutCut(draws: Iterable<Fraction>, held: number, areAllRows: boolean): Fraction {
  const distinct = [...new Set(draws)].sort((a, b) => a - b);
  const wanted = Math.min(held, areAllRows ? Math.floor(distinct.length / 2) : distinct.length);
  return distinct[wanted - 1] ?? -1;
}

import { createHash } from 'node:crypto';
import type { TrainingExample } from '../../schema/training-job.ts';

const SHARE = 0.1;
const ROWS_MIN = 20;
const ROWS_MAX = 200;
/** Rows below which a win rate says little. */
export const INDICATIVE_BELOW = ROWS_MIN;

/**
 * How many of `rows` are held out: a tenth, at least 20 and at most 200, and never more than half.
 */
export function heldOutCount(rows: number): number {
  const wanted = Math.min(ROWS_MAX, Math.max(ROWS_MIN, Math.round(rows * SHARE)));
  return Math.min(wanted, Math.floor(rows / 2));
}

/** A number in [0, 1). */
export type Fraction = number;

/** Where a row stands in the draw, by its hash: equal examples stand at one place, so that none is on both sides. */
export function drawOf(example: Omit<TrainingExample, 'row'>): Fraction {
  const { messages, completion, reasoning, chosen, rejected } = example;
  const digest = createHash('sha256')
    .update(JSON.stringify([messages, completion, reasoning, chosen, rejected]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/**
 * The draw below which rows are candidates: so high that of `rows` even ones at least `held` are below it in all
 * but one of some millions of datasets (the count is binomial; six standard deviations above its mean). Of so few rows
 * that this is half of them, all are candidates.
 */
export function candidateThreshold(rows: number, held: number): Fraction {
  if (rows === 0) return 0;
  const share = (held + 6 * Math.sqrt(held) + 6) / rows;
  return share >= 0.5 ? 1 : share;
}

/**
 * The draw up to which candidates are held out: that of the `held`-th different example; where all rows are candidates
 * it leaves at least half of the different ones to be trained on.
 */
export function heldOutCut(draws: Iterable<Fraction>, held: number, areAllRows: boolean): Fraction {
  const distinct = [...new Set(draws)].sort((a, b) => a - b);
  const wanted = Math.min(held, areAllRows ? Math.floor(distinct.length / 2) : distinct.length);
  return distinct[wanted - 1] ?? -1;
}

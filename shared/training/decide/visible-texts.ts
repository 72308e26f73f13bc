import type { Caller } from '#shared/platform/access/caller.ts';
import type { Comparison } from '../schema/comparison.ts';
import type { CutText, TrainingMetrics } from '../schema/training-metrics.ts';

/** In place of a text of a row: as one of which nothing is shown. */
const WITHHELD: CutText = { text: '', truncated: true };

const readsRows = ({ scopes }: Pick<Caller, 'scopes'>): boolean => scopes.includes('datasets:read');

/**
 * Metrics as a caller may see them: texts of held-out rows, and what models answered to them, need the scope of rows. The
 * figures and verdicts do not.
 */
export function visibleMetrics(caller: Pick<Caller, 'scopes'>, metrics: TrainingMetrics): TrainingMetrics {
  if (readsRows(caller)) return metrics;
  const iterations = metrics.iterations.map((iteration) => ({
    ...iteration,
    answers: iteration.answers.map(({ row, verdict }) => ({
      row,
      verdict,
      prompt: WITHHELD,
      reference: WITHHELD,
      base: WITHHELD,
      trained: WITHHELD,
    })),
  }));
  return { ...metrics, iterations };
}

/** The same of a comparison. */
export function visibleComparison(caller: Pick<Caller, 'scopes'>, comparison: Comparison): Comparison {
  if (readsRows(caller)) return comparison;
  const answers = comparison.answers.map(({ row, by_seed }) => ({
    row,
    prompt: WITHHELD,
    reference: WITHHELD,
    base: WITHHELD,
    by_seed: by_seed.map(({ seed, better, adapted }) => ({
      seed,
      better,
      original: WITHHELD,
      adapted: adapted === null ? null : WITHHELD,
    })),
  }));
  return { ...comparison, answers };
}

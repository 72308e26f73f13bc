import type {
  Comparison,
  ComparisonRate,
  ComparisonTraining,
} from '../../../console/src/comparisons/words.ts';

export const COMPARISON = 'c-1';
export const DATASET = 'd-1';

/** A win rate with as many seeds as there are values. */
export const rate = (
  value: number,
  interval95: [number, number],
  changes: Partial<ComparisonRate> = {},
): ComparisonRate => ({
  value,
  interval95,
  seed_spread: null,
  measure: 'judge',
  rows: 60,
  is_indicative: false,
  by_seed: [seedRate(1)],
  ...changes,
});

export const seedRate = (
  seed: number,
  changes: Partial<ComparisonRate['by_seed'][number]> = {},
): ComparisonRate['by_seed'][number] => ({
  seed,
  value: 0.7,
  interval95: [0.57, 0.8],
  wins: 38,
  losses: 14,
  ties: 8,
  undecided: 0,
  undecided_reason: null,
  likelihood_reason: null,
  ...changes,
});

export const training = (
  side: ComparisonTraining['side'],
  seed: number,
  changes: Partial<ComparisonTraining> = {},
): ComparisonTraining => ({
  side,
  seed,
  status: 'completed',
  phase: null,
  reason: null,
  rows: 540,
  training_loss: 1.2345,
  held_out_loss: { before: 2.4, after: 1.9 },
  // Curves are drawn on a canvas, which only a browser has.
  stages: [],
  ...changes,
});

const text = (of: string) => ({ text: of, truncated: false });

export const compared = (
  row: number,
  better: Comparison['answers'][number]['by_seed'][number]['better'],
): Comparison['answers'][number] => ({
  row,
  prompt: text(`question ${row}`),
  reference: text('the answer of the file'),
  base: text('a plain answer'),
  by_seed: [
    { seed: 1, original: text('an answer as the originals'), adapted: text('a better answer'), better },
  ],
});

export const comparison = (changes: Partial<Comparison> = {}): Comparison => ({
  comparison_id: COMPARISON,
  dataset_id: DATASET,
  run_id: 'r-1',
  model: 'Qwen/Qwen3-0.6B',
  training_method: 'instruction',
  hyperparams: { learning_rate: 0.0001 } as Comparison['hyperparams'],
  seeds: 1,
  status: 'succeeded',
  trainings_completed: 2,
  trainings_total: 2,
  created_at: '2026-11-20T10:00:00.000Z',
  completed_at: '2026-11-20T11:00:00.000Z',
  error: null,
  win_rates: {
    adapted_against_base: rate(0.8, [0.68, 0.88]),
    original_against_base: rate(0.45, [0.33, 0.57], { measure: 'likelihood' }),
    adapted_against_original: rate(0.7, [0.57, 0.8]),
  },
  trainings: [training('original', 1), training('adapted', 1)],
  answers: [compared(4, 'adapted'), compared(9, 'tie')],
  ...changes,
});

/** A comparison of which this is the win rate between the sides. */
export const withRate = (of: ComparisonRate | null, changes: Partial<Comparison> = {}): Comparison =>
  comparison({
    ...changes,
    win_rates: { adapted_against_base: null, original_against_base: null, adapted_against_original: of },
  });

import type { Schemas } from 'tunesmith';

export type ComparedAnswers = Schemas['ComparedAnswers'];
export type SeedAnswers = ComparedAnswers['by_seed'][number];
export type Shown = 'all' | NonNullable<SeedAnswers['better']>;

export const VERDICTS = {
  adapted: { tone: 'succeeded', label: 'adapted is better' },
  original: { tone: 'failed', label: 'original is better' },
  tie: { tone: 'pending', label: 'neither is better' },
} as const;

/** The answers of a seed, as far as they have the verdict that is asked for; null where a side is not trained yet. */
export const answersOf = (
  answers: readonly ComparedAnswers[],
  seed: number,
  shown: Shown,
): { readonly of: ComparedAnswers; readonly answer: SeedAnswers | null }[] =>
  answers
    .map((of) => ({ of, answer: of.by_seed.find((each) => each.seed === seed) ?? null }))
    .filter(({ answer }) => shown === 'all' || answer?.better === shown);

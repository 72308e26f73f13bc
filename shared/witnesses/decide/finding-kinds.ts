import { own } from '#shared/platform/own.ts';
import type { WitnessFinding } from './witness.ts';

/** How many times as often a finding is made of wrong rows as of right ones, by the score from which it holds, descending. */
type Ratios = readonly (readonly [score: number, ratio: number])[];

/** Of code: 66 of 77 wrong functions and 2 of 979 right ones fail an example; 7 of the wrong ones pass all. */
const FAILED: Ratios = [[0, 330]];
/** The tests of HumanEvalFix alone: 79 of 82 wrong functions fail them and none of 82 right ones, counted as one. */
const TESTED: Ratios = [[0, 79]];
/** Not counted: no public row at hand is a query beside its schema, or code on purpose whole that does not compile. */
const UNMEASURED: Ratios = [[0, 10]];
const PASSED: Ratios = [[0, 0.1]];
/** Of answers that are there, 5 of 10,279 right ones seem damaged. */
const DAMAGED: Ratios = [[0, 60]];
const EMPTY: Ratios = [[0, 1000]];
/** Of 2,811 public rows with calls, the 49 that Python's `jsonschema` refuses as well, and none of the others. */
const CALLS: Ratios = [[0, 500]];

/**
 * What witnesses without a model find, and what it is worth. Neighbours were counted on public rows with exchanged answers and
 * labels (2 to 30 of 100), code on functions with examples. Of labels a third of what was counted, since columns differ: where
 * classes overlap, half of the contradicted labels are right. `npm run effect -- witnesses` prints how often the probabilities that
 * follow are right. The critic's findings are weighed by the calibration of its model (`blind-rates.ts`).
 */
const RATIOS = {
  // Execution.
  example_failed: FAILED,
  example_endless: FAILED,
  test_failed: TESTED,
  code_invalid: UNMEASURED,
  query_invalid: UNMEASURED,
  examples_passed: PASSED,
  // The program.
  doubtful: [[0, 24]],
  empty: EMPTY,
  debris: DAMAGED,
  form_broken: DAMAGED,
  degenerate: DAMAGED,
  wrong_language: DAMAGED,
  cut_off: DAMAGED,
  thin: DAMAGED,
  careless: DAMAGED,
  call_invalid: CALLS,
  // Neighbours.
  answer_of_other_row: [
    [0.6, 1000],
    [0, 210],
  ],
  answered_differently: [
    [0.5, 190],
    [0.4, 14],
    [0, 6],
  ],
  label_contradicted: [
    [0.999, 60],
    [0.99, 13],
    [0.95, 8],
    [0, 5],
  ],
} as const satisfies Readonly<Record<string, Ratios>>;

export type FindingKind = keyof typeof RATIOS | CriticKind;
type CriticKind = 'error_quoted' | 'no_error';

/** Whether it was counted on rows whose truth others know how often a finding is right. */
export const isMeasured = ({ kind }: Pick<WitnessFinding, 'kind'>): boolean =>
  own(RATIOS, kind) !== UNMEASURED;

/** How many times as often a witness finds this of wrong rows as of right ones; 1 for what a model says. */
export function ratioOf({ kind, score = 0 }: Pick<WitnessFinding, 'kind' | 'score'>): number {
  const ratios: Ratios = own(RATIOS, kind) ?? [];
  return ratios.find(([from]) => score >= from)?.[1] ?? 1;
}

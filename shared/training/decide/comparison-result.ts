import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import type {
  ComparedAnswers,
  Comparison,
  ComparisonTraining,
  ComparisonWinRate,
  TrainingSide,
} from '../schema/comparison.ts';
import type { IterationMetrics } from '../schema/training-metrics.ts';
import type { ComparingSides, IterationOutcome, StoredAnswer, WinRate } from '../schema/training-outcome.ts';
import { type ComparisonRecord, sideOf, toComparisonSummary } from './comparison.ts';
import { INDICATIVE_BELOW } from './hold-out.ts';

/** What a comparison has measured so far, by iteration. */
export interface MeasuredComparison {
  readonly metrics: readonly IterationMetrics[];
  readonly outcomes: readonly IterationOutcome[];
  /** The answers of each iteration in `outcomes`. */
  readonly answers: readonly (readonly StoredAnswer[])[];
}

export function toComparison(record: ComparisonRecord, measured: MeasuredComparison): Comparison {
  const { metrics, outcomes } = measured;
  const ratesOf = (side: TrainingSide) =>
    outcomes.filter(({ iteration }) => sideOf(iteration).side === side).map(seedRateOf);
  return {
    ...toComparisonSummary(record),
    win_rates: {
      adapted_against_base: combineSeeds(ratesOf('adapted')),
      original_against_base: combineSeeds(ratesOf('original')),
      adapted_against_original: combineSeeds(
        outcomes.flatMap(({ iteration, against_original: against }) =>
          against === undefined
            ? []
            : [{ seed: sideOf(iteration).seed, likelihood_reason: null, ...against }],
        ),
      ),
    },
    trainings: metrics.map((each) =>
      toComparisonTraining(
        each,
        outcomes.find(({ iteration }) => iteration === each.iteration),
      ),
    ),
    answers: sideBySide(measured),
  };
}

/** How one side did in one seed, by the measures that there are. */
export interface SeedRate {
  readonly seed: number;
  readonly win_rate: WinRate | ComparingSides['win_rate'] | null;
  readonly likelihood: WinRate | null;
  readonly likelihood_reason: string | null;
}

const seedRateOf = ({ iteration, win_rate, likelihood, likelihood_reason }: IterationOutcome): SeedRate => ({
  seed: sideOf(iteration).seed,
  win_rate,
  likelihood,
  likelihood_reason,
});

/**
 * The effect over seeds, which all have the same prompts: the mean of their win rates. Its variance has two parts. That
 * of the prompts is at most p(1-p)/n however many seeds there are, since prompts are the same; that of the seeds is s²/S.
 * The interval is that of a single sample of which both together are the variance. Where a judge did not decide every
 * seed, likelihoods do for all: two measures do not average. Between the two sides no likelihood decides: see
 * `decideSides`.
 * @returns null without a seed that was compared
 */
export function combineSeeds(seeds: readonly SeedRate[]): ComparisonWinRate | null {
  const isDecided = seeds.every(({ win_rate }) => win_rate?.method !== 'likelihood');
  const rates = seeds.flatMap(({ seed, win_rate, likelihood, likelihood_reason }) => {
    const rate = isDecided ? win_rate : likelihood;
    return rate === null ? [] : [{ seed, rate, likelihood_reason }];
  });
  const [first] = rates;
  if (first === undefined) return null;
  const values = rates.map(({ rate }) => rate.value);
  const rows = Math.min(...rates.map(({ rate }) => rate.n));
  const value = mean(values);
  const spread = values.length < 2 ? null : deviation(values);
  const ofPrompts = value * (1 - value);
  const ofSeeds = (rows * (spread ?? 0) ** 2) / values.length;
  const [low, high] = wilsonInterval(value, ofPrompts === 0 ? rows : rows / (1 + ofSeeds / ofPrompts));
  return {
    value: round(value),
    interval95: [round(low), round(high)],
    seed_spread: spread === null ? null : round(spread),
    measure: rates.find(({ rate }) => rate.method === 'judge')?.rate.method ?? first.rate.method,
    rows,
    is_indicative: rows < INDICATIVE_BELOW,
    by_seed: rates.map(({ seed, rate, likelihood_reason }) => ({
      seed,
      value: rate.value,
      interval95: rate.interval95,
      wins: rate.wins,
      losses: rate.losses,
      ties: rate.ties,
      undecided: 'undecided' in rate ? rate.undecided : 0,
      undecided_reason: 'undecided' in rate ? rate.undecided_reason : null,
      likelihood_reason,
    })),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

function toComparisonTraining(
  { iteration, status, phase, reason, stages }: IterationMetrics,
  outcome: IterationOutcome | undefined,
): ComparisonTraining {
  const last = stages.at(-1);
  const held = last?.held_out_loss ?? [];
  const [before, after] = [held.at(0), held.at(-1)];
  return {
    ...sideOf(iteration),
    status,
    phase,
    reason,
    rows: outcome?.trainer?.rows.trained ?? null,
    training_loss: last?.training_loss.at(-1)?.loss ?? null,
    held_out_loss:
      before === undefined || after === undefined ? null : { before: before.loss, after: after.loss },
    stages,
  };
}

/** The shown rows are the same in every iteration. */
function sideBySide({ outcomes, answers }: MeasuredComparison): ComparedAnswers[] {
  const [first = []] = answers;
  return first.map(({ row, prompt, reference, base }) => {
    const trainedIn = (iteration: number): StoredAnswer | undefined => {
      const at = outcomes.findIndex((outcome) => outcome.iteration === iteration);
      return answers[at]?.find((each) => each.row === row);
    };
    const originals = outcomes.filter(({ iteration }) => sideOf(iteration).side === 'original');
    return {
      row,
      prompt,
      reference,
      base,
      by_seed: originals.flatMap(({ iteration }) => {
        const original = trainedIn(iteration);
        const adapted = trainedIn(iteration + 1);
        if (original === undefined) return [];
        const verdict = adapted?.against_original ?? null;
        return [
          {
            seed: sideOf(iteration).seed,
            original: original.trained,
            adapted: adapted?.trained ?? null,
            better: verdict === 'win' ? 'adapted' : verdict === 'loss' ? 'original' : verdict,
          } as const,
        ];
      }),
    };
  });
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

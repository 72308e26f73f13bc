import type { Quality } from '#shared/datasets/schema/evaluation.ts';
import { own } from '#shared/platform/own.ts';
import type { RowScore } from '#shared/runs/schema/row-score.ts';
import { believedKinds, type JudgeCalibration } from './calibration.ts';
import { gradeOf, improvementPercent, percentileAmong } from './grade.ts';
import { type CheckRates, knownCheckRates } from './known-check-rates.ts';
import { controlLength, PAIRS_MIN } from './length-control.ts';
import { METRIC_WEIGHTS } from './metrics.ts';
import {
  type ExpectedRows,
  estimateQuality,
  type JudgeErrorRates,
  type QualityEstimate,
} from './quality-estimate.ts';
import type { ScoringMode } from './scorer.ts';
import { estimateMean } from './statistics.ts';

export interface EvaluationInput {
  readonly scores: readonly RowScore[];
  readonly mode: ScoringMode;
  /** The calibration of the configured judge, trusted or not; null without a judge. */
  readonly calibration: JudgeCalibration | null;
  /** Error rates of the judge on pairs; null or absent if not measured, and then assumed to be zero. */
  readonly judgeErrors?: JudgeErrorRates | null;
  /** The models of the run that judged and that wrote the answers; null if there was none. */
  readonly models: { readonly judge: string | null; readonly answer: string | null };
  /** Id of the embedding model of the metrics; null if relevance was lexical. */
  readonly embeddingModelId: string | null;
  /** Number of rows that the sample was drawn from, and the seed. */
  readonly population: number;
  readonly seed: string;
  /** After-scores of the other graded datasets of this installation. */
  readonly otherScores: readonly (readonly number[])[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type EvaluationResult =
  | { readonly status: 'succeeded'; readonly quality: Quality; readonly rawResults: Record<string, Json> }
  /** Nothing could be scored; `rawResults` says why. */
  | { readonly status: 'skipped'; readonly quality: null; readonly rawResults: Record<string, Json> };

const SCALE = [0, 10] as const;

/**
 * The evaluation of a dataset (spec §2.7) from its sampled rows. Grades are computed from the checks and comparisons of
 * each row and their known accuracy (`estimateQuality`). Scores of single answers by a judge or the metrics are
 * reported too, but do not count, because they do not show harm. Before and after are compared over the same rows.
 */
export function assembleEvaluation(input: EvaluationInput): EvaluationResult {
  const { scores } = input;
  const scored = scores.flatMap(({ before, after }) => (after === null ? [] : [{ before, after }]));
  const paired = scored.flatMap(({ before, after }) => (before === null ? [] : [{ before, after }]));
  const checked = scores.flatMap(({ checks, comparison }) =>
    checks === undefined ? [] : [{ checks, comparison }],
  );
  const difference = estimateMean(
    paired.map((row) => row.after.score - row.before.score),
    [-10, 10],
  );
  const estimate = estimateQuality(checked, knownCheckRates, input.judgeErrors ?? null);
  const rawResults: Record<string, Json> = {
    judge: describeJudge(input),
    sample: {
      population: input.population,
      sampled: scores.length,
      checked: checked.length,
      scored: scored.length,
      with_original: checked.filter(({ checks }) => checks.has_original).length,
      seed: input.seed,
    },
    ...(estimate === null ? {} : describeEstimate(estimate)),
    length_control: describeLengthControl(scores, estimate),
    rates: describeRates(knownCheckRates, input),
    before: summarize(paired.map((row) => row.before)),
    after: summarize((paired.length > 0 ? paired : scored).map((row) => row.after)),
    difference:
      difference === null
        ? null
        : { mean: round(difference.mean), interval_95: roundPair(difference.interval95) },
    unscored: scores.flatMap(({ dataset_row, reason }) =>
      reason === undefined ? [] : [{ row: dataset_row, code: reason.code, message: reason.message }],
    ),
  };
  if (estimate === null) {
    return { status: 'skipped', quality: null, rawResults };
  }
  const before = estimate.before === null ? null : round(estimate.before.value);
  const after = round(estimate.after.value);
  return {
    status: 'succeeded',
    quality: {
      grade_before: before === null ? null : gradeOf(before),
      grade_after: gradeOf(after),
      score_before: before,
      score_after: after,
      percentile_after: percentileAmong(after, input.otherScores),
      improvement_percent: improvementPercent(before, after),
    },
    rawResults,
  };
}

function describeEstimate({
  before,
  after,
  difference,
  rows,
  byEdit,
}: QualityEstimate): Record<string, Json> {
  const describe = (expected: ExpectedRows | null): Json =>
    expected === null
      ? null
      : {
          rows: round(expected.rows),
          share: roundShare(expected.share),
          interval_95: expected.interval95.map(roundShare),
        };
  return {
    score_interval_before: roundPair(before?.interval95 ?? null),
    score_interval_after: roundPair(after.interval95),
    score_difference: difference === null ? null : round(difference.value),
    score_interval_difference: roundPair(difference?.interval95 ?? null),
    rows: {
      unchanged: describe(rows.unchanged),
      changed: describe(rows.changed),
      got_better: describe(rows.gotBetter),
      got_worse: describe(rows.gotWorse),
      undecided: describe(rows.undecided),
    },
    share_got_better: rows.gotBetter === null ? null : roundShare(rows.gotBetter.share),
    share_got_worse: rows.gotWorse === null ? null : roundShare(rows.gotWorse.share),
    by_edit: Object.fromEntries(
      Object.entries(byEdit).map(([kind, edit]) => [
        kind,
        { rows: edit.rows, precision: roundShare(edit.precision) },
      ]),
    ),
  };
}

/** The judged pairs: wins of the new answers, and expected wins at the length of the originals. */
function describeLengthControl(scores: readonly RowScore[], estimate: QualityEstimate | null): Json {
  const pairs = scores.flatMap(({ comparison }) =>
    comparison?.winner ? [{ winner: comparison.winner, characters: comparison.characters }] : [],
  );
  const control = controlLength(pairs);
  const { winRate = null, winRateCorrected = null } = estimate?.judged ?? {};
  return {
    pairs: pairs.length,
    win_rate: winRate === null ? null : roundShare(winRate),
    win_rate_corrected: winRateCorrected === null ? null : roundShare(winRateCorrected),
    fitted: control !== null,
    ...(control === null
      ? { reason: `Fewer than ${PAIRS_MIN} pairs were decided by a judge.` }
      : {
          win_rate_at_equal_length: roundShare(control.winRate),
          interval_95: control.interval95.map(roundShare),
          effect_of_log_length: round(control.effect),
        }),
  };
}

/** The origin of the known rates: those of another model may not apply to the run's model. */
function describeRates(rates: CheckRates, { models, judgeErrors = null }: EvaluationInput): Json {
  return {
    measured: { ...rates.measured },
    sensitivity: { ...rates.sensitivity },
    specificity: { ...rates.specificity },
    judge: judgeErrors === null ? null : { ...judgeErrors },
    answer_model: models.answer,
    // A judge prefers its own style.
    same_model: models.judge === null || models.answer === null ? null : models.judge === models.answer,
  };
}

type Summary = {
  readonly mean: number;
  readonly interval_95: readonly [number, number] | null;
  readonly n: number;
  readonly criteria: Readonly<Record<string, number>>;
};

function summarize(
  scores: readonly { readonly score: number; readonly criteria: Readonly<Record<string, number>> }[],
): Summary | null {
  const estimate = estimateMean(
    scores.map(({ score }) => score),
    SCALE,
  );
  if (estimate === null) {
    return null;
  }
  const names = Object.keys(scores[0]?.criteria ?? {});
  const criteria = names.map((name): [string, number] => [
    name,
    round(scores.reduce((sum, score) => sum + (own(score.criteria, name) ?? 0), 0) / scores.length),
  ]);
  return {
    mean: round(estimate.mean),
    interval_95: roundPair(estimate.interval95),
    n: estimate.n,
    criteria: Object.fromEntries(criteria),
  };
}

function describeJudge({ mode, calibration, embeddingModelId }: EvaluationInput): Json {
  return {
    mode,
    model: calibration?.model_id ?? null,
    agreement: calibration?.rubric?.agreement ?? null,
    agreement_low: calibration?.rubric?.agreement_low ?? null,
    pair_agreement: calibration?.pairs.accuracy ?? null,
    position_bias: calibration?.pairs.position_bias ?? null,
    longer_named: calibration?.pairs.longer_named ?? null,
    believed_for: believedKinds(calibration),
    kinds: Object.fromEntries(
      Object.entries(calibration?.kinds ?? {}).map(([kind, figures]) => [
        kind,
        {
          pairs: figures.pairs,
          accuracy: figures.accuracy,
          accuracy_low: figures.accuracy_low,
          false_acceptance: figures.false_acceptance,
          false_acceptance_high: figures.false_acceptance_high,
        },
      ]),
    ),
    prompt_version: calibration?.prompt_version ?? null,
    set_hash: calibration?.set_hash ?? null,
    ...(mode === 'reference_free_metrics'
      ? {
          weights: { ...METRIC_WEIGHTS },
          relevance: embeddingModelId === null ? 'lexical' : `embeddings of ${embeddingModelId}`,
        }
      : {}),
  };
}

/** More decimals would exceed the precision of a sample. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}

function roundPair(pair: readonly [number, number] | null): readonly [number, number] | null {
  return pair === null ? null : [round(pair[0]), round(pair[1])];
}

import type { Quality } from '#shared/schema/evaluation.ts';
import type { RowScore } from '#shared/schema/row-score.ts';
import { believedKinds, type JudgeCalibration } from './calibration.ts';
import { gradeOf, improvementPercent, percentileAmong } from './grade.ts';
import { METRIC_WEIGHTS } from './metrics.ts';
import type { ScoringMode } from './scorer.ts';
import { estimateMean } from './statistics.ts';

export interface EvaluationInput {
  readonly scores: readonly RowScore[];
  readonly mode: ScoringMode;
  /** Of the judge that is configured, whether or not it was trusted; null where there is none. */
  readonly calibration: JudgeCalibration | null;
  /** Of the embedding model that the metrics used; null where relevance was lexical. */
  readonly embeddingModelId: string | null;
  /** Rows that the sample was drawn from, and the seed that it was drawn with. */
  readonly population: number;
  readonly seed: string;
  /** After-scores of the other datasets that this installation has graded. */
  readonly otherScores: readonly number[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type EvaluationResult =
  | { readonly status: 'succeeded'; readonly quality: Quality; readonly rawResults: Record<string, Json> }
  /** Nothing could be scored; `rawResults` says what was tried. */
  | { readonly status: 'skipped'; readonly quality: null; readonly rawResults: Record<string, Json> };

const SCALE = [0, 10] as const;

/**
 * The evaluation of a dataset (spec §2.7) from its sampled rows. Before and after are compared over the same rows:
 * those that had a completion. Where none had, there is no before, and after is the mean of all.
 */
export function concludeEvaluation(input: EvaluationInput): EvaluationResult {
  const { scores } = input;
  const scored = scores.flatMap(({ before, after }) => (after === null ? [] : [{ before, after }]));
  const paired = scored.flatMap(({ before, after }) => (before === null ? [] : [{ before, after }]));
  const before = summarize(paired.map((row) => row.before));
  const after = summarize((paired.length > 0 ? paired : scored).map((row) => row.after));
  const difference = estimateMean(
    paired.map((row) => row.after.score - row.before.score),
    [-10, 10],
  );
  const rawResults: Record<string, Json> = {
    judge: describeJudge(input),
    sample: {
      population: input.population,
      sampled: scores.length,
      scored: scored.length,
      with_original: paired.length,
      seed: input.seed,
    },
    before,
    after,
    difference:
      difference === null
        ? null
        : { mean: round(difference.mean), interval_95: roundPair(difference.interval95) },
    unscored: scores.flatMap(({ dataset_row, reason }) =>
      reason === undefined ? [] : [{ row: dataset_row, code: reason.code, message: reason.message }],
    ),
  };
  if (after === null) {
    return { status: 'skipped', quality: null, rawResults };
  }
  return {
    status: 'succeeded',
    quality: {
      grade_before: before === null ? null : gradeOf(before.mean),
      grade_after: gradeOf(after.mean),
      score_before: before?.mean ?? null,
      score_after: after.mean,
      percentile_after: percentileAmong(after.mean, input.otherScores),
      improvement_percent: improvementPercent(before?.mean ?? null, after.mean),
    },
    rawResults,
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
    round(scores.reduce((sum, score) => sum + (score.criteria[name] ?? 0), 0) / scores.length),
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

/** Two decimals are more than a sample's interval can bear. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function roundPair(pair: readonly [number, number] | null): readonly [number, number] | null {
  return pair === null ? null : [round(pair[0]), round(pair[1])];
}

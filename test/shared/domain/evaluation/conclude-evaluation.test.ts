import { describe, expect, it } from 'vitest';
import { concludeEvaluation, type EvaluationInput } from '#shared/domain/evaluation/conclude-evaluation.ts';
import { Evaluation } from '#shared/schema/evaluation.ts';
import type { RowScore } from '#shared/schema/row-score.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';

const score = (value: number) => ({ score: value, criteria: { correctness: value, clarity: 10 } });

function rowOf(row: number, before: number | null, after: number | null): RowScore {
  return {
    row,
    dataset_row: row * 10,
    before: before === null ? null : score(before),
    after: after === null ? null : score(after),
    ...(after === null ? { reason: { code: 'answer_unusable', message: 'no number' } } : {}),
  };
}

const calibration = calibrationOf('judge-1', ['defect'], { prompt_version: 'p1', set_hash: 'h1' });

function conclude(scores: RowScore[], overrides: Partial<EvaluationInput> = {}) {
  return concludeEvaluation({
    scores,
    mode: 'calibrated_judge',
    calibration,
    embeddingModelId: null,
    population: 500,
    seed: 'run_1',
    otherScores: [5, 9],
    ...overrides,
  });
}

describe('an evaluation', () => {
  it('compares the same rows before and after, with grades, improvement and percentile', () => {
    const { status, quality, rawResults } = conclude([rowOf(0, 6, 8), rowOf(1, 7, 8.2), rowOf(2, 8, 8.1)]);

    expect(status).toBe('succeeded');
    expect(quality).toEqual({
      grade_before: 'C',
      grade_after: 'B',
      score_before: 7,
      score_after: 8.1,
      percentile_after: 50,
      improvement_percent: 15.7,
    });
    expect(rawResults.sample).toEqual({
      population: 500,
      sampled: 3,
      scored: 3,
      with_original: 3,
      seed: 'run_1',
    });
    expect(rawResults.before).toMatchObject({ mean: 7, n: 3, criteria: { correctness: 7, clarity: 10 } });
    expect(rawResults.before).toHaveProperty('interval_95', [4.52, 9.48]);
    expect(rawResults.difference).toMatchObject({ mean: 1.1 });
  });

  it('says which judge spoke and how good it is', () => {
    expect(conclude([rowOf(0, 6, 8)]).rawResults.judge).toEqual({
      mode: 'calibrated_judge',
      model: 'judge-1',
      agreement: 0.9,
      agreement_low: 0.84,
      pair_agreement: 1,
      position_bias: 0,
      longer_named: 0.5,
      believed_for: ['defect'],
      kinds: expect.objectContaining({
        defect: {
          pairs: 16,
          accuracy: 1,
          accuracy_low: 0.806,
          false_acceptance: 0,
          false_acceptance_high: 0.299,
        },
      }),
      prompt_version: 'p1',
      set_hash: 'h1',
    });
    expect(
      conclude([rowOf(0, 6, 8)], { mode: 'reference_free_metrics', calibration: null }).rawResults.judge,
    ).toMatchObject({ mode: 'reference_free_metrics', model: null, relevance: 'lexical' });
  });

  it('has no before, and no improvement, where no row had a completion', () => {
    const { status, quality } = conclude([rowOf(0, null, 8), rowOf(1, null, 9)]);

    expect(status).toBe('succeeded');
    expect(quality).toMatchObject({
      grade_before: null,
      score_before: null,
      improvement_percent: null,
      grade_after: 'B',
      score_after: 8.5,
    });
  });

  it('leaves rows without a completion out of the comparison', () => {
    const { quality } = conclude([rowOf(0, 6, 8), rowOf(1, null, 2)]);

    expect(quality).toMatchObject({ score_before: 6, score_after: 8, improvement_percent: 33.3 });
  });

  it('is skipped where nothing could be scored, and lists why', () => {
    for (const scores of [[], [rowOf(4, null, null)]]) {
      const { status, quality, rawResults } = conclude(scores);

      expect(status).toBe('skipped');
      expect(quality).toBeNull();
      expect(rawResults.unscored).toEqual(
        scores.map(() => ({ row: 40, code: 'answer_unusable', message: 'no number' })),
      );
    }
  });

  it('has no percentile where this installation has graded no other dataset', () => {
    expect(conclude([rowOf(0, 6, 8)], { otherScores: [] }).quality?.percentile_after).toBeNull();
  });

  it('fits the API’s schema', () => {
    const { status, quality, rawResults } = conclude([rowOf(0, 6, 8), rowOf(1, 7, null)]);

    expect(Evaluation.safeParse({ dataset_id: 'd', status, quality, raw_results: rawResults }).success).toBe(
      true,
    );
  });
});

import { expect, it } from 'vitest';
import { Evaluation } from '#shared/datasets/schema/evaluation.ts';
import { assembleEvaluation, type EvaluationInput } from '#shared/judging/decide/assemble-evaluation.ts';
import { knownCheckRates } from '#shared/judging/decide/known-check-rates.ts';
import type { RowChecks, RowScore } from '#shared/runs/schema/row-score.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';

const score = (value: number) => ({ score: value, criteria: { correctness: value, clarity: 10 } });

const SOUND: RowChecks = {
  changed: false,
  has_original: true,
  before_defect: null,
  after_defect: null,
  harm: null,
};
const MENDED: RowChecks = {
  ...SOUND,
  changed: true,
  before_defect: 'careless',
  edit: { kind: 'mended', evidence: 'checked', words_kept: 0.9 },
};
const HARMED: RowChecks = {
  ...SOUND,
  changed: true,
  after_defect: 'form_broken',
  harm: 'is no bare number',
  edit: { kind: 'rewritten', evidence: 'checked', words_kept: 0.2 },
};
const WRITTEN: RowChecks = {
  ...SOUND,
  changed: true,
  has_original: false,
  edit: { kind: 'written', evidence: 'checked', words_kept: 0 },
};

function rowOf(
  row: number,
  before: number | null,
  after: number | null,
  checks: RowChecks | null = SOUND,
  comparison?: RowScore['comparison'],
): RowScore {
  return {
    row,
    dataset_row: row * 10,
    before: before === null ? null : score(before),
    after: after === null ? null : score(after),
    ...(after === null ? { reason: { code: 'answer_unusable', message: 'no number' } } : {}),
    ...(checks === null ? {} : { checks }),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

const rowsOf = (count: number, checks: RowChecks, first = 0): RowScore[] =>
  Array.from({ length: count }, (_, n) => rowOf(first + n, 6, 8, checks));

const calibration = calibrationOf('judge-1', ['defect'], { prompt_version: 'p1', set_hash: 'h1' });

function conclude(scores: readonly RowScore[], overrides: Partial<EvaluationInput> = {}) {
  return assembleEvaluation({
    scores,
    mode: 'calibrated_judge',
    calibration,
    models: { judge: 'judge-1', answer: 'writer-1' },
    embeddingModelId: null,
    population: 500,
    seed: 'run_1',
    otherScores: [[5, 9]],
    ...overrides,
  });
}

/** Share of right answers among edits of a kind, as it was measured, smoothed (Jeffreys). */
const precisionOf = (kind: 'mended' | 'written'): number => {
  const { right, of } = knownCheckRates.edits[kind];
  return (right + 0.5) / (of + 1);
};

it('an evaluation grades by the checks and the known rates, with intervals, improvement and percentile', () => {
  const { status, quality, rawResults } = conclude([...rowsOf(30, MENDED), ...rowsOf(70, SOUND, 30)]);

  expect(status).toBe('succeeded');
  expect(quality?.grade_before).toMatch(/^[CD]$/);
  // Of measured mends, half are right afterwards.
  expect(quality?.grade_after).toMatch(/^[CD]$/);
  expect(quality?.percentile_after).toEqual(expect.any(Number));
  expect(quality?.score_after).toBeGreaterThan(quality?.score_before ?? 10);
  expect(quality?.improvement_percent).toBeGreaterThan(0);
  expect(rawResults.sample).toEqual({
    population: 500,
    sampled: 100,
    checked: 100,
    scored: 100,
    with_original: 100,
    seed: 'run_1',
  });
  expect(rawResults).toMatchObject({
    rows: {
      unchanged: { rows: 70, share: 0.7 },
      changed: { rows: 30, share: 0.3 },
      got_better: { rows: expect.closeTo(30 * precisionOf('mended'), 0) },
      got_worse: { rows: expect.closeTo(0, 0) },
    },
    by_edit: { mended: { rows: 30, precision: expect.closeTo(precisionOf('mended'), 3) } },
    share_got_worse: expect.closeTo(0, 1),
  });
  const { score_interval_before: before, score_interval_difference: difference } = rawResults as {
    score_interval_before: [number, number];
    score_interval_difference: [number, number];
  };
  expect(before[0]).toBeLessThan(quality?.score_before ?? 0);
  expect(before[1]).toBeGreaterThan(quality?.score_before ?? 10);
  expect(difference[0]).toBeGreaterThan(0);
});

it('an evaluation shows harm, whatever the judge thinks of each answer alone', () => {
  const { quality, rawResults } = conclude([...rowsOf(11, HARMED), ...rowsOf(1, MENDED, 11)]);

  expect(quality?.improvement_percent).toBeLessThan(-80);
  expect(rawResults).toMatchObject({ share_got_worse: expect.closeTo(11 / 12, 1) });
  expect(rawResults.after).toMatchObject({ mean: 8 });
});

it('an evaluation says that nothing got better or worse where no row changed', () => {
  const careless: RowChecks = { ...SOUND, before_defect: 'careless', after_defect: 'careless' };
  const { quality, rawResults } = conclude([...rowsOf(2, careless), ...rowsOf(8, SOUND, 2)]);

  expect(quality?.improvement_percent).toBe(0);
  expect(quality?.score_after).toBe(quality?.score_before);
  expect(rawResults).toMatchObject({
    score_difference: 0,
    score_interval_difference: [0, 0],
    share_got_worse: 0,
    rows: { changed: { rows: 0 } },
  });
});

it('an evaluation reports what the answers scored alone beside it', () => {
  const { rawResults } = conclude([rowOf(0, 6, 8), rowOf(1, 7, 8.2), rowOf(2, 8, 8.1)]);

  expect(rawResults.before).toMatchObject({ mean: 7, n: 3, criteria: { correctness: 7, clarity: 10 } });
  expect(rawResults.before).toHaveProperty('interval_95', [4.52, 9.48]);
  expect(rawResults.difference).toMatchObject({ mean: 1.1 });
});

it('an evaluation says where its rates were measured, and whether the judge wrote the answers', () => {
  const ratesOf = (judge: string | null) =>
    conclude([rowOf(0, 6, 8)], { models: { judge, answer: 'writer-1' } }).rawResults.rates;

  expect(conclude([rowOf(0, 6, 8)]).rawResults.rates).toMatchObject({
    measured: knownCheckRates.measured,
    sensitivity: knownCheckRates.sensitivity,
    answer_model: 'writer-1',
    same_model: false,
  });
  expect(ratesOf('writer-1')).toMatchObject({ same_model: true });
  expect(ratesOf(null)).toMatchObject({ same_model: null });
});

it('controls the judged pairs for length where there are enough of them', () => {
  const rewritten: RowChecks = { ...HARMED, after_defect: null, harm: null };
  const pairs = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      rowOf(n, 6, 8, rewritten, {
        winner: n % 4 === 0 ? 'before' : 'after',
        by: 'judge',
        characters: { before: 100, after: 100 + n },
      }),
    );

  expect(conclude(pairs(8)).rawResults.length_control).toEqual({
    pairs: 8,
    win_rate: 0.75,
    win_rate_corrected: null,
    fitted: false,
    reason: 'Fewer than 20 pairs were decided by a judge.',
  });
  const judgeErrors = { accuracy: 0.9, false_acceptance: 0.1, n: 1000 };
  expect(conclude(pairs(40), { judgeErrors }).rawResults).toMatchObject({
    length_control: {
      pairs: 40,
      win_rate_corrected: expect.closeTo((0.75 - 0.1) / 0.8, 2),
      fitted: true,
      win_rate_at_equal_length: expect.any(Number),
    },
    rates: { judge: judgeErrors },
  });
});

it('an evaluation says which judge spoke and how good it is', () => {
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

it('an evaluation has no before, and no improvement, where the run read no completions', () => {
  const { status, quality } = conclude([rowOf(0, null, 8, WRITTEN), rowOf(1, null, 9, WRITTEN)]);

  expect(status).toBe('succeeded');
  expect(quality).toMatchObject({
    grade_before: null,
    score_before: null,
    improvement_percent: null,
    score_after: expect.closeTo(10 * precisionOf('written'), 2),
  });
});

it('an evaluation counts rows without a completion with nothing before', () => {
  const filled: RowChecks = { ...WRITTEN, has_original: true, before_defect: 'empty' };
  const { quality } = conclude([rowOf(0, null, 8, filled), rowOf(1, 6, 6)]);

  const after = 5 + 5 * precisionOf('written');
  expect(quality).toMatchObject({
    score_before: 5,
    score_after: expect.closeTo(after, 2),
    improvement_percent: expect.closeTo((after - 5) * 20, 0),
  });
});

it('an evaluation has no improvement where nothing before was worth anything', () => {
  const filled: RowChecks = { ...WRITTEN, has_original: true, before_defect: 'empty' };

  expect(conclude([rowOf(0, null, 8, filled)]).quality).toMatchObject({
    grade_before: 'E',
    score_before: 0,
    improvement_percent: null,
  });
});

it('an evaluation needs no judge: a row that none could score is graded all the same', () => {
  const { status, rawResults } = conclude([rowOf(4, null, null)]);

  expect(status).toBe('succeeded');
  expect(rawResults.unscored).toEqual([{ row: 40, code: 'answer_unusable', message: 'no number' }]);
});

it('an evaluation is skipped where no row was checked', () => {
  for (const scores of [[], [rowOf(4, 6, 8, null)]]) {
    const { status, quality, rawResults } = conclude(scores);

    expect(status).toBe('skipped');
    expect(quality).toBeNull();
    expect(rawResults.sample).toMatchObject({ sampled: scores.length, checked: 0 });
  }
});

it('an evaluation has no percentile where this installation has graded no other dataset', () => {
  expect(conclude([rowOf(0, 6, 8)], { otherScores: [] }).quality?.percentile_after).toBeNull();
});

it('an evaluation fits the API’s schema', () => {
  const { status, quality, rawResults } = conclude([rowOf(0, 6, 8), rowOf(1, 7, null)]);

  const evaluation = { dataset_id: 'd', status, quality, raw_results: rawResults, history: [] };
  expect(Evaluation.safeParse(evaluation).success).toBe(true);
});

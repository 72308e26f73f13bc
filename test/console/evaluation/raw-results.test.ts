import { expect, it } from 'vitest';
import { assembleEvaluation } from '#shared/judging/decide/assemble-evaluation.ts';
import type { RowChecks, RowScore } from '#shared/runs/schema/row-score.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { readGrading } from '../../../console/src/evaluation/raw-results.ts';

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

const scoreOf = (value: number) => ({ score: value, criteria: { correctness: value, clarity: 10 } });

const scores: RowScore[] = Array.from({ length: 40 }, (_, row) => ({
  row,
  dataset_row: row * 10,
  before: scoreOf(5),
  after: scoreOf(7),
  checks: row < 12 ? MENDED : SOUND,
}));
scores.push({
  row: 40,
  dataset_row: 400,
  before: null,
  after: null,
  reason: { code: 'answer_unusable', message: 'The judge answered no number.' },
});

const evaluate = (isTrusted: boolean) =>
  assembleEvaluation({
    scores,
    mode: isTrusted ? 'calibrated_judge' : 'reference_free_metrics',
    calibration: calibrationOf('judge-1', isTrusted ? ['defect'] : [], {
      prompt_version: 'p1',
      set_hash: 'h1',
    }),
    models: { judge: 'judge-1', answer: 'judge-1' },
    embeddingModelId: null,
    population: 500,
    seed: 'run_1',
    otherScores: [],
  });

it('readGrading reads everything that an evaluation of this service writes', () => {
  const { rawResults } = evaluate(true);
  const grading = readGrading(JSON.parse(JSON.stringify(rawResults)));
  for (const interval of [grading.intervalBefore, grading.intervalAfter, grading.intervalDifference]) {
    expect(interval?.[0]).toBeLessThan(interval?.[1] ?? Number.NaN);
  }
  expect(grading.difference).toBe(rawResults.score_difference);
  expect(grading.sample).toEqual({ population: 500, sampled: 41, checked: 40, scored: 40 });
  expect(grading.rows.changed?.rows).toBe(12);
  expect(grading.rows.got_worse?.share).toBe(rawResults.share_got_worse);
  expect(grading.rows.got_better?.share).toBe(rawResults.share_got_better);
  expect(grading.edits).toEqual([{ kind: 'mended', rows: 12, precision: expect.any(Number) }]);
  expect(grading.before).toMatchObject({ mean: 5, n: 40 });
  expect(grading.after?.criteria).toEqual(
    new Map([
      ['correctness', 7],
      ['clarity', 10],
    ]),
  );
  expect(grading.scoreDifference?.mean).toBe(2);
  expect(grading.judge).toMatchObject({
    model: 'judge-1',
    scoresAreTrusted: true,
    believedFor: ['defect'],
  });
  const defect = grading.judge?.kinds.find(({ kind }) => kind === 'defect');
  expect(defect?.isBelieved).toBe(true);
  expect(Object.values(defect ?? {})).not.toContain(null);
  expect(grading.rates).toMatchObject({ isSameModel: true, answerModel: 'judge-1' });
  expect(grading.rates.rows).toBeGreaterThan(0);
  expect(grading.rates.sensitivity?.[1]).toBeGreaterThan(0);
  expect(grading.length?.reason).toMatch(/pairs/);
  expect(grading.unscored).toEqual([
    { row: 400, code: 'answer_unusable', message: 'The judge answered no number.' },
  ]);
});

it('readGrading reads that no judge is believed', () => {
  const { judge } = readGrading(JSON.parse(JSON.stringify(evaluate(false).rawResults)));
  expect(judge).toMatchObject({ scoresAreTrusted: false, believedFor: [] });
});

it.each([
  [{}],
  [{ rows: 'none', judge: [], before: { mean: 'high' }, unscored: [null, 1], by_edit: { mended: 3 } }],
])('readGrading reads nothing where %j has nothing', (raw) => {
  const grading = readGrading(raw);
  expect(grading.judge).toBeNull();
  expect(grading.before).toBeNull();
  expect(grading.rows.got_worse).toBeNull();
  expect(grading.edits).toEqual([]);
  expect(grading.unscored).toEqual([]);
});

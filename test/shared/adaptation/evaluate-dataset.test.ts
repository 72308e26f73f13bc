import { beforeEach, describe, expect, test } from 'vitest';
import {
  assembleDatasetEvaluation,
  planEvaluation,
  scoreSample,
} from '#shared/adaptation/evaluate-dataset.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import type { JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import { CRITERIA } from '#shared/judging/decide/prompts/rubric.v1.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { type RowScore, SampledRow } from '#shared/runs/schema/row-score.ts';
import { ScorePlan } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import {
  type ActiveRun,
  type ActiveRunOptions,
  answerOf,
  endRunNow,
  finishBatches,
  linesOf,
  questionOf,
  readPlan,
  startRun,
  resultsOf as storedResultsOf,
  writeResults,
} from '#test/helpers/active-run.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { launchAdaptation, planAdaptation } from '#test/helpers/operations.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const plan = ({ context }: ActiveRun, sampleRowsMax = 100) =>
  planEvaluation(
    { datasets: world.store.datasets, objects: world.objects, sampleRowsMax, modelConcurrency: 32 },
    context,
    NOW,
  );
const plansOf = ({ run }: ActiveRun): ScorePlan[] =>
  linesOf(world.objects.text(objectKeys.evaluationPlan(run.run_id))).map((line) =>
    ScorePlan.parse(JSON.parse(line)),
  );
const sampleOf = (active: ActiveRun): SampledRow[] =>
  plansOf(active).flatMap(({ sample_key }) =>
    linesOf(world.objects.text(sample_key)).map((line) => SampledRow.parse(JSON.parse(line))),
  );

async function finished(
  options: ActiveRunOptions = {},
  outcomeOf: (row: number) => RunResult['outcome'] = () => 'changed',
): Promise<ActiveRun> {
  const active = await startRun(world, { line: soundRow, ...options });
  await finishBatches(world, active, outcomeOf);
  if (options.line !== undefined) return active;
  for (const batch of active.batches) {
    const results = storedResultsOf(batch, outcomeOf).map((result) => soundResult(result));
    await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
  }
  return active;
}

/** A row with which the checks find nothing wrong, so that only a judge can tell its answers apart. */
const soundPrompt = (row: number): string => `What is known of case ${row}?`;
const soundAnswer = (row: number): string => `Case ${row} was closed in the spring, and its files are kept.`;
const soundRow = (row: number): string =>
  JSON.stringify({ note: row, question: soundPrompt(row), answer: soundAnswer(row) });

/** What a run made of such a row; a row without cells stays so. */
function soundResult(result: RunResult): RunResult {
  if (result.cells === undefined) return result;
  const better = result.outcome === 'changed' ? 'In better words: c' : 'C';
  return {
    ...result,
    cells: {
      enhanced_prompt: soundPrompt(result.row),
      enhanced_completion: soundAnswer(result.row).replace(/^C/, better),
    },
  };
}

/** Puts answers into the results of a run, with what was done to them. */
async function deliver(
  { run, batches }: ActiveRun,
  answerOf: (row: number) => { answer: string; edit?: RunResult['edit'] },
): Promise<void> {
  for (const batch of batches) {
    const results = storedResultsOf(batch, () => 'changed').map((result) => {
      const { answer, edit } = answerOf(result.row);
      return {
        ...result,
        ...(edit === undefined ? {} : { edit }),
        cells: { ...result.cells, enhanced_completion: answer },
      };
    });
    await writeResults(world, objectKeys.result(run.run_id, batch.n), results);
  }
}

/** A run whose rows had no answer, and have a good one now. */
async function filledIn(rows: number): Promise<ActiveRun> {
  const active = await finished({
    rows,
    line: (row) => JSON.stringify({ note: row, question: `What is ${row} in words?`, answer: '' }),
  });
  await deliver(active, (row) => ({
    answer: `That is a better answer about the number ${row}, in a whole sentence.`,
    edit: { kind: 'written', evidence: 'checked', words_kept: 0 },
  }));
  return active;
}

describe('the sample of an evaluation', () => {
  test('the sample of an evaluation has as many rows as asked for, each once, with its text before and after', async () => {
    const active = await finished();

    const answer = await plan(active, 60);

    const rows = sampleOf(active).map(({ dataset_row }) => dataset_row);
    expect(rows).toHaveLength(60);
    expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
    expect(answer).toEqual({
      plan_key: objectKeys.evaluationPlan(active.run.run_id),
      chunk_count: 3,
      max_concurrency: 1,
    });
    const [first] = sampleOf(active);
    expect(first).toEqual({
      dataset_row: first?.dataset_row,
      request: soundPrompt(first?.dataset_row ?? -1),
      before: soundAnswer(first?.dataset_row ?? -1),
      after: soundAnswer(first?.dataset_row ?? -1).replace(/^C/, 'In better words: c'),
      checks: {
        changed: true,
        has_original: true,
        before_defect: null,
        after_defect: null,
        harm: null,
      },
    });
  });

  test('the sample of an evaluation is cut into pieces whose places go on from one to the next', async () => {
    const active = await finished();

    await plan(active, 60);

    expect(plansOf(active).map(({ n, first_row }) => [n, first_row])).toEqual([
      [0, 0],
      [1, 25],
      [2, 50],
    ]);
  });

  test('the sample of an evaluation is the same for the same dataset, and another for another', async () => {
    const [one, other] = [await finished(), await finished()];
    await plan(one, 30);
    await plan(other, 30);
    const before = sampleOf(one);

    await plan(one, 30);

    expect(sampleOf(one)).toEqual(before);
    expect(sampleOf(other).map(({ dataset_row }) => dataset_row)).not.toEqual(
      before.map(({ dataset_row }) => dataset_row),
    );
  });

  test('the sample of an evaluation holds no row that failed or was dropped, for nothing was delivered of it', async () => {
    const active = await finished({ rows: 60 }, (row) =>
      row % 3 === 0 ? 'failed' : row % 3 === 1 ? 'dropped' : 'kept',
    );

    await plan(active);

    expect(sampleOf(active).map(({ dataset_row }) => dataset_row)).toEqual(
      Array.from({ length: 20 }, (_, place) => place * 3 + 2),
    );
  });

  test('the sample of an evaluation holds no row whose completion was blanked', async () => {
    const active = await finished({ rows: 4 });
    const [batch] = active.batches;
    const results = storedResultsOf(batch as NonNullable<typeof batch>, () => 'changed').map((result) =>
      result.row === 2 ? { ...result, cells: { ...result.cells, enhanced_completion: null } } : result,
    );
    await writeResults(world, objectKeys.result(active.run.run_id, 0), results);

    await plan(active);

    expect(sampleOf(active).map(({ dataset_row }) => dataset_row)).toEqual([0, 1, 3]);
  });

  test('the sample of an evaluation holds no row that max_rows left out', async () => {
    const active = await finished({ request: { job_specification: { max_rows: 40 } } });
    const selected = active.batches.flatMap(({ first_row, selected, row_count }) =>
      (selected ?? Array.from({ length: row_count }, (_, place) => place)).map((place) => first_row + place),
    );

    await plan(active);

    expect(sampleOf(active).map(({ dataset_row }) => dataset_row)).toEqual(selected);
  });

  const turns = [
    { role: 'user', content: 'Hello?' },
    { role: 'assistant', content: 'Hi!' },
  ];
  test.each([
    [
      'a conversation: its turns, and its last reply',
      { chat: 'note' },
      { request: 'user: Hello?\nassistant: Hi!\nHow?', before: 'So.', after: `better ${answerOf(0)}` },
    ],
    [
      'a dataset-wide instruction: it with its context',
      { universal_prompt: 'Sum it up.', context: ['question'], completion: 'answer' },
      { request: 'Sum it up.\nquestion: question 0', before: 'answer 0', after: `better ${answerOf(0)}` },
    ],
    [
      'prompts alone: there is nothing before',
      { prompt: 'question' },
      {
        request: 'question 0',
        before: null,
        after: `better ${answerOf(0)}`,
        checks: { has_original: false },
      },
    ],
    [
      'completions alone: the inferred prompt, which both are held against',
      { completion: 'answer' },
      { request: `better ${questionOf(0)}`, before: 'answer 0', after: `better ${answerOf(0)}` },
    ],
  ])('the sample of an evaluation shows of %s', async (_, column_mapping, expected) => {
    const conversation = [...turns, { role: 'user', content: 'How?' }, { role: 'assistant', content: 'So.' }];
    const active = await finished({
      rows: 1,
      request: { column_mapping },
      line: () => JSON.stringify({ note: conversation, question: 'question 0', answer: 'answer 0' }),
    });

    await plan(active);

    expect(sampleOf(active)).toMatchObject([{ dataset_row: 0, ...expected }]);
  });

  test('the sample of an evaluation shows the context that the answer could rely on, and nothing before where there was nothing', async () => {
    const active = await finished({
      rows: 2,
      request: { column_mapping: { prompt: 'question', completion: 'answer', context: ['note'] } },
      line: (row) => `{"note":"a fact","question":"q${row}","answer":${row === 0 ? '"  "' : '"a1"'}}`,
    });

    await plan(active);

    const [empty, full] = sampleOf(active);
    expect(empty?.before).toBeNull();
    expect(empty?.checks).toMatchObject({ has_original: true, before_defect: 'empty' });
    expect(full?.before).toBe('a1');
    expect(full?.request).toMatch(/q1[\s\S]*a fact/);
  });

  test('the sample of an evaluation says what the checks find in the answers before and after, and what was done', async () => {
    const prompt = 'Is this a question or an order? Answer with exactly one word: question or order.';
    const answers = ['question', 'order', 'order', 'question', 'order', 'a question', 'question'];
    const active = await finished({
      rows: answers.length,
      line: (row) => JSON.stringify({ note: row, question: `${prompt} "Go."`, answer: answers[row] }),
    });
    const edit = { kind: 'reformatted', evidence: 'checked', words_kept: 0.5 } as const;
    await deliver(active, (row) => {
      if (row === 0) return { answer: 'It is a question, I think.' };
      return row === 5 ? { answer: 'question', edit } : { answer: answers[row] ?? '' };
    });

    await plan(active);

    const [harmed, sound, , , , mended] = sampleOf(active).map(({ checks }) => checks);
    expect(harmed).toMatchObject({
      changed: true,
      before_defect: null,
      after_defect: 'form_broken',
      harm: 'is none of the answers that are asked for',
    });
    expect(sound).toMatchObject({ changed: false, before_defect: null, after_defect: null, harm: null });
    expect(mended).toMatchObject({ changed: true, before_defect: 'form_broken', after_defect: null, edit });
  });

  test('the sample of an evaluation of a run that delivered nothing is empty', async () => {
    const active = await finished({ rows: 30 }, () => 'failed');

    expect(await plan(active)).toMatchObject({ chunk_count: 0 });
    expect(plansOf(active)).toEqual([]);
  });

  test('the sample of an evaluation marks the evaluation as running', async () => {
    const active = await finished({ rows: 30 });

    await plan(active);

    expect(
      await world.store.datasets.findEvaluation(active.dataset.dataset_id, active.run.run_id),
    ).toMatchObject({
      run_id: active.run.run_id,
      status: 'running',
      quality: null,
    });
  });
});

const calibrationBy = (agreement_low: number): JudgeCalibration =>
  calibrationOf('a-judge', agreement_low > 0.7 ? undefined : [], {
    rubric: { agreement: agreement_low, agreement_low },
  });

/** Prefers what was improved; alone it grades that with 9 and anything else with 4. */
function createJudge(): { judge: ModelClient; asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = [];
  const generate: ModelClient['generate'] = async (request) => {
    asked.push(request);
    const grade = request.messages.some(({ content }) => content.includes('better ')) ? 9 : 4;
    const asking = request.messages.at(-1)?.content ?? '';
    const winner = / A>\n[^<]*better /.test(asking) ? 'A' : 'B';
    const grades = Object.fromEntries(CRITERIA.map((criterion) => [criterion, grade]));
    return {
      text: JSON.stringify(isPair(request) ? { winner } : grades),
      finishReason: 'stop',
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  };
  return { judge: { modelId: 'a-judge', generate }, asked };
}

const isPair = ({ messages }: GenerateRequest): boolean =>
  messages.at(-1)?.content.includes('Which answer is better') === true;

async function score(active: ActiveRun, agreement: number) {
  const { judge, asked } = createJudge();
  const clock = createFastClock(10);
  for (const each of plansOf(active)) {
    const { status } = await scoreSample(
      {
        objects: world.objects,
        calibrations: { findCalibration: async () => calibrationBy(agreement) },
        runs: world.store.runs,
        models: { judge, embedder: null },
        callsPerWorker: 4,
        outageSecondsMax: 60,
        clock,
        random: () => 0.5,
      },
      each,
      { deadlineMs: clock.now() + 900_000, attempt: 'a' },
    );
    expect(status).toBe('finished');
  }
  return asked;
}

const scoresOf = ({ run }: ActiveRun, n: number): RowScore[] =>
  linesOf(world.objects.text(objectKeys.evaluationScores(run.run_id, n))).map((line) => JSON.parse(line));

async function conclude(
  active: ActiveRun,
  agreement: number,
  error: Parameters<typeof assembleDatasetEvaluation>[2] = null,
) {
  await world.store.runs.recordPlan(active.dataset.dataset_id, active.run.run_id, {
    // As for a run that adds rows in other languages.
    total_rows: (active.run.total_rows ?? 0) + 10,
    models: { judge: 'a-judge', answer: 'a-writer' },
    prompt_versions: {},
  });
  return assembleDatasetEvaluation(
    {
      datasets: world.store.datasets,
      runs: world.store.runs,
      objects: world.objects,
      calibrations: { findCalibration: async () => calibrationBy(agreement) },
    },
    active.context,
    error,
    NOW + 1000,
  );
}
const resultsOf = ({ run }: ActiveRun) => JSON.parse(world.objects.text(objectKeys.evaluation(run.run_id)));
const evaluationOf = ({ dataset, run }: ActiveRun) =>
  world.store.datasets.findEvaluation(dataset.dataset_id, run.run_id);

/** Launches another run on the dataset of a run, which ends; its rows get the same results. */
async function rerun(
  active: ActiveRun,
  request: Partial<AdaptRequest> = {},
  change = (result: RunResult): RunResult => result,
): Promise<ActiveRun> {
  await endRunNow(world, active);
  const { caller, dataset } = active;
  const settings = { MODEL_CONCURRENCY: '1', SEARCH_BASE_URL: 'http://search.test' };
  const { run_id } = await world.installed(settings)(launchAdaptation)({
    caller,
    datasetId: dataset.dataset_id,
    route: 'adapt',
    request: { column_mapping: { prompt: 'question', completion: 'answer' }, ...request },
    now: NOW + 60_000,
  });
  const context = { ...active.context, run_id: run_id ?? '' };
  await world.installed(settings)(planAdaptation)(context);
  const run = await world.store.runs.find(dataset.dataset_id, context.run_id);
  if (run === null) throw new Error('The run was not launched.');
  const next = { caller, dataset, run, context, batches: readPlan(world, context.run_id) };
  for (const batch of next.batches) {
    const results = storedResultsOf(batch, () => 'changed').map((result) => change(soundResult(result)));
    await writeResults(world, objectKeys.result(run.run_id, batch.n), results);
  }
  return next;
}

test('scores of unchanged rows are reused by the next evaluation of the dataset', async () => {
  const first = await finished({ rows: 60 });
  await plan(first, 30);
  const asked = await score(first, 0.9);
  const second = await rerun(first);
  await plan(second, 30);

  const again = await score(second, 0.9);

  expect(asked.length).toBeGreaterThanOrEqual(60);
  expect(again).toEqual([]);
  for (const { n } of plansOf(first)) expect(scoresOf(second, n)).toEqual(scoresOf(first, n));
  expect(scoresOf(second, 0).some((each) => 'recorded' in each)).toBe(false);
});

test('scores are reused from any earlier evaluation, so that two results in turn cost no calls', async () => {
  const first = await finished({ rows: 60 });
  await plan(first, 30);
  await score(first, 0.9);
  const other = await rerun(first, {}, (result) => ({
    ...result,
    cells: { ...result.cells, enhanced_completion: 'In the best words: the files are kept.' },
  }));
  await plan(other, 30);
  expect((await score(other, 0.9)).length).toBeGreaterThan(0);
  const third = await rerun(other);
  await plan(third, 30);

  expect(await score(third, 0.9)).toEqual([]);
});

test('scores of a row with another answer are asked for anew', async () => {
  const first = await finished({ rows: 60 });
  await plan(first, 30);
  await score(first, 0.9);
  const second = await rerun(first);
  const changed = sampleOf(first)[4]?.dataset_row ?? -1;
  for (const batch of second.batches) {
    const results = storedResultsOf(batch, () => 'changed')
      .map((result) => soundResult(result))
      .map((result) =>
        result.row === changed
          ? {
              ...result,
              cells: { ...result.cells, enhanced_completion: 'In the best words: the files are kept.' },
            }
          : result,
      );
    await writeResults(world, objectKeys.result(second.run.run_id, batch.n), results);
  }
  await plan(second, 30);

  const again = await score(second, 0.9);

  expect(again.length).toBeGreaterThan(0);
  expect(again.length).toBeLessThanOrEqual(3);
  expect(again.every((request) => JSON.stringify(request).includes('the best words'))).toBe(true);
});

test('scores are all asked for anew with reuse: false', async () => {
  const first = await finished({ rows: 60 });
  await plan(first, 30);
  const asked = await score(first, 0.9);
  const second = await rerun(first, { reuse: false });
  await plan(second, 30);

  expect(await score(second, 0.9)).toHaveLength(asked.length);
});

test('an evaluation by a judge that can be trusted grades before and after', async () => {
  const active = await finished({ rows: 30 });
  await plan(active);
  const asked = await score(active, 0.9);

  expect(await conclude(active, 0.9)).toEqual({ status: 'succeeded' });

  expect(asked.filter((request) => !isPair(request))).toHaveLength(60);
  expect(asked.filter(isPair)).toHaveLength(60);
  expect(scoresOf(active, 0)[0]).toMatchObject({
    row: 0,
    before: { score: 4 },
    after: { score: 9 },
    comparison: { winner: 'after', by: 'judge' },
  });
  expect(await evaluationOf(active)).toMatchObject({
    status: 'succeeded',
    results_key: objectKeys.evaluation(active.run.run_id),
  });
  expect(resultsOf(active)).toMatchObject({
    sample: { population: 30, sampled: 30, scored: 30 },
    before: { mean: 4 },
    after: { mean: 9 },
    length_control: { pairs: 30, win_rate: 1, fitted: true },
    rates: { same_model: false, answer_model: 'a-writer' },
  });
});

test('an evaluation shows harm that a judge of each answer alone takes for better', async () => {
  const active = await finished({
    rows: 30,
    line: (row) => JSON.stringify({ note: row, question: `What is ${row} + 1?`, answer: `${row + 1}` }),
  });
  await deliver(active, (row) => ({
    answer: row < 15 ? `The better answer is ${row}, as everybody knows.` : `${row + 1}`,
  }));
  await plan(active);
  await score(active, 0.9);
  await conclude(active, 0.9);

  const quality = (await evaluationOf(active))?.quality;
  expect(quality?.score_before).toBeGreaterThan(9);
  expect(quality?.improvement_percent).toBeCloseTo(-50, 0);
  expect(resultsOf(active)).toMatchObject({
    share_got_worse: 0.5,
    before: { mean: 4 },
    after: { mean: expect.closeTo(6.5, 5) },
  });
});

test('an evaluation of a run that changed no row says that nothing got better', async () => {
  const active = await finished({ rows: 20 }, () => 'kept');
  await plan(active);
  await score(active, 0.9);
  await conclude(active, 0.9);

  expect((await evaluationOf(active))?.quality?.improvement_percent).toBe(0);
  expect(resultsOf(active)).toMatchObject({ score_difference: 0, score_interval_difference: [0, 0] });
});

test('an evaluation asks once of a row whose answer was kept', async () => {
  const active = await finished({ rows: 20 }, () => 'kept');
  await plan(active);

  expect(await score(active, 0.9)).toHaveLength(20);
  expect(scoresOf(active, 0)[3]).toMatchObject({ before: { score: 4 }, after: { score: 4 } });
});

test('an evaluation by a judge that no better than guesses asks it nothing, and says what scored instead', async () => {
  const active = await finished({ rows: 20 });
  await plan(active);

  const asked = await score(active, 0.5);
  await conclude(active, 0.5);

  expect(asked).toEqual([]);
  expect(JSON.stringify(resultsOf(active).judge)).toContain('reference_free_metrics');
});

test('an evaluation of nothing is skipped', async () => {
  const active = await finished({ rows: 20 }, () => 'dropped');
  await plan(active);

  expect(await conclude(active, 0.9)).toEqual({ status: 'skipped' });
  expect(await evaluationOf(active)).toMatchObject({ status: 'skipped', quality: null });
});

test('an evaluation that failed says why, and keeps its start', async () => {
  const active = await finished({ rows: 20 });
  await plan(active);
  const error = { code: 'model_unavailable', message: 'The judge is gone.', level: 'error' as const };

  expect(await conclude(active, 0.9, error)).toEqual({ status: 'failed' });

  expect(await evaluationOf(active)).toMatchObject({
    status: 'failed',
    quality: null,
    started_at: new Date(NOW).toISOString(),
  });
  expect(resultsOf(active)).toEqual({ error });
});

test('an evaluation is placed among the other datasets of the installation, never among itself', async () => {
  const [low, high] = [await filledIn(20), await finished({ rows: 20 }, () => 'kept')];
  for (const active of [low, high]) {
    await plan(active);
    await score(active, 0.9);
    await conclude(active, 0.9);
  }

  await conclude(high, 0.9);

  expect((await evaluationOf(high))?.quality?.percentile_after).toBe(100);
});

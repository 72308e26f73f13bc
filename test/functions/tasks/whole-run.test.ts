import { createHash } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { beforeEach, expect, test } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as create } from '#functions/api/datasets/create.ts';
import { handler as download } from '#functions/api/datasets/download.ts';
import { handler as evaluation } from '#functions/api/datasets/evaluation.ts';
import { handler as get } from '#functions/api/datasets/get.ts';
import { handler as report } from '#functions/api/datasets/report.ts';
import { handler as complete } from '#functions/api/datasets/uploads/complete-by-id.ts';
import { adaptChunk } from '#shared/adaptation/adapt-chunk.ts';
import { CRITERIA } from '#shared/adaptation/decide/evaluation/prompts/rubric.v1.ts';
import {
  concludeDatasetEvaluation,
  planEvaluation,
  scoreSample,
} from '#shared/adaptation/evaluate-dataset.ts';
import { planAdaptation } from '#shared/adaptation/plan-run.ts';
import { describeDataset } from '#shared/datasets/describe-dataset.ts';
import { buildExport, buildExportsOfRun } from '#shared/exports/build-export.ts';
import { convertFile } from '#shared/ingest/convert-file.ts';
import { planIngest } from '#shared/ingest/plan-ingest.ts';
import { recordRows } from '#shared/ingest/record-rows.ts';
import { assembleRun, finishRun } from '#shared/lifecycle/finish-run.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { TaskHandler } from '#shared/platform/runtime/task.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { linesOf } from '#test/helpers/active-run.ts';
import { context } from '#test/helpers/call.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { loadTask } from '#test/helpers/handlers.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

/** Improves every answer; grades by whether an answer was improved. */
const model: ModelClient = {
  modelId: 'a-model',
  generate: async ({ messages, jsonSchema }) => {
    const shown = messages.map(({ content }) => content).join('\n');
    const row = /question (\d+)/.exec(shown)?.[1];
    const grade = shown.includes('much better') ? 9 : 5;
    const text =
      jsonSchema !== undefined
        ? JSON.stringify(Object.fromEntries(CRITERIA.map((criterion) => [criterion, grade])))
        : shown.includes('You describe datasets')
          ? 'Numbered questions.'
          : `Give answer ${row} at once: this is a much better and complete answer about number ${row}.`;
    return { text, finishReason: 'stop', usage: { input_tokens: 9, output_tokens: 4 } };
  },
};

/** An answer with which nothing is wrong. */
const SOUND = 'Ask somebody who has solved it before.';

/** What stands in for the needs of tasks, by name: the real operations on the world. */
function needsOfTasks(): Readonly<Record<string, unknown>> {
  const { store, objects, settleRun } = world;
  const { datasets, runs, trainings, speeds } = store;
  const clock = createFastClock(10);
  const ports = { datasets, runs, trainings, objects, settleRun, exportRows, speeds };
  const calibrations = { findCalibration: async () => null, findSafetyCalibration: async () => null };
  const working = {
    ...ports,
    calibrations,
    models: { rewrite: model, answer: model, judge: null, embedder: null },
    search: null,
    fetchImage: async () => null,
    callsPerWorker: 4,
    contextTokensMax: 4096,
    outageSecondsMax: 60,
    clock,
    random: () => 0.5,
  };
  type Rest<T> = T extends (ports: never, ...rest: infer R) => unknown ? R : never;
  return {
    planIngest: (...rest: Rest<typeof planIngest>) => planIngest(ports, ...rest),
    convertFile: (...rest: Rest<typeof convertFile>) =>
      convertFile({ objects, readFile: ingestFile, fileBytesMax: 1_000_000 }, ...rest),
    recordRows: (...rest: Rest<typeof recordRows>) => recordRows(ports, ...rest),
    describeDataset: (...rest: Rest<typeof describeDataset>) => describeDataset({ ...ports, model }, ...rest),
    settleRun,
    planAdaptation: (...rest: Rest<typeof planAdaptation>) =>
      planAdaptation(
        { ...ports, modelConcurrency: 1, models: { answer: 'a-model' }, promptVersions: {} },
        ...rest,
      ),
    calibrateJudge: async () => null,
    adaptChunk: (...rest: Rest<typeof adaptChunk>) => adaptChunk(working, ...rest),
    assembleRun: (run: Rest<typeof assembleRun>[0], now: number) =>
      assembleRun(ports, run, { mustBeComplete: true, now }),
    assembleExports: (...rest: Rest<typeof buildExportsOfRun>) => buildExportsOfRun(ports, ...rest),
    buildExport: (...rest: Rest<typeof buildExport>) =>
      buildExport({ ...ports, claims: world.store.claims }, ...rest),
    planEvaluation: (...rest: Rest<typeof planEvaluation>) =>
      planEvaluation({ ...ports, sampleRowsMax: 100, modelConcurrency: 1 }, ...rest),
    scoreSample: (...rest: Rest<typeof scoreSample>) => scoreSample(working, ...rest),
    concludeEvaluation: (...rest: Rest<typeof concludeDatasetEvaluation>) =>
      concludeDatasetEvaluation({ ...ports, calibrations }, ...rest),
    finishRun: (...rest: Rest<typeof finishRun>) => finishRun(ports, ...rest),
  };
}

/** Invokes a task as its state machine does. */
async function invoke<T = Record<string, never>>(task: string, input: unknown): Promise<T> {
  const handler: TaskHandler = await loadTask(`functions/tasks/${task}.ts`);
  const needs = needsOfTasks();
  const own = Object.fromEntries(Object.keys(handler.needs).map((name) => [name, needs[name]]));
  const lambda: Context = { ...context(), getRemainingTimeInMillis: () => 900_000 };
  return (await handler.with(own as never)(input, lambda)) as T;
}

const planLines = (key: string): unknown[] =>
  linesOf(world.objects.text(key)).map((line) => JSON.parse(line));

test('a file that is uploaded, adapted, evaluated and downloaded comes out better and is paid for once', async () => {
  const owner = await seedTeam(world.store, 10);
  const answer = (row: number) => (row === 2 ? SOUND : `just give answer ${row}`);
  const lines = Array.from(
    { length: 40 },
    (_, row) => `how do i solve question ${row},${answer(row)},${row}`,
  );
  const file = `question,answer,id\n${lines.join('\n')}\n`;
  const created = await world.call(create, { as: owner, body: { source: { name: 'tickets.csv' } } });
  const { dataset_id, upload_instructions } = created.body;
  const params = { dataset_id };
  await world.objects.write(upload_instructions?.s3_key ?? '', file, 'text/csv');
  const sha256 = createHash('sha256').update(file).digest('hex');
  await world.call(complete, { as: owner, params, body: { file_size_bytes: file.length, sha256 } });

  const [ingest] = [...world.executions.started.values()];
  expect(await invoke('ingest/plan-ingest', ingest)).toEqual({ files: 1 });
  expect(await invoke('ingest/convert-file', ingest)).toEqual({ row_count: 40 });
  expect(await invoke('ingest/record-rows', ingest)).toEqual({ row_count: 40 });
  expect(await invoke('ingest/describe-dataset', ingest)).toEqual({ described: true });
  expect(await invoke('ingest/finish-ingest', { ...ingest, error: null })).toEqual({ status: 'succeeded' });
  expect((await world.call(get, { as: owner, params })).body).toMatchObject({
    status: 'pending',
    row_count: 40,
    description: 'Numbered questions.',
  });

  const launched = await world.call(adapt, {
    as: owner,
    params,
    body: {
      column_mapping: { prompt: 'question', completion: 'answer' },
      recipe_specification: { recipes: { prompt_rephrase: false } },
    },
  });
  const run = world.executions.started.get(launched.body.run_id ?? '');
  const { plan_key } = await invoke<{ plan_key: string }>('adapt/plan-run', run);
  expect(await invoke('adapt/calibrate-judge', run)).toEqual({ calibrated: false });
  for (const batch of planLines(plan_key)) {
    expect(await invoke('adapt/adapt-chunk', batch)).toEqual({ status: 'finished' });
  }
  expect(await invoke('adapt/assemble-run', run)).toEqual({ changed: 39, kept: 1, dropped: 0, failed: 0 });
  const evaluating = await invoke<{ plan_key: string }>('evaluate/plan-evaluation', run);
  for (const piece of planLines(evaluating.plan_key)) {
    expect(await invoke('evaluate/score-chunk', piece)).toEqual({ status: 'finished' });
  }
  expect(await invoke('evaluate/conclude-evaluation', { ...run, error: null })).toEqual({
    status: 'succeeded',
  });
  expect(await invoke('adapt/settle-run', { ...run, error: null })).toEqual({ status: 'succeeded' });

  const { body: dataset } = await world.call(get, { as: owner, params });
  const { body: scores } = await world.call(evaluation, { as: owner, params });
  const { body: said } = await world.call(report, { as: owner, params });
  const { headers } = await world.call(download, { as: owner, params, query: { fileFormat: 'jsonl' } });
  const exported = linesOf(world.objects.text(new URL(headers.location ?? '').pathname.slice(1)));
  expect(dataset).toMatchObject({ status: 'succeeded', run_id: null, progress: null });
  expect(dataset.evaluation_summary?.score_after).toBe(scores.quality?.score_after);
  expect(scores.quality?.score_after).toBeGreaterThan(scores.quality?.score_before ?? 10);
  expect(said).toMatchObject({
    rows: { total: 40, changed: 39, kept: 1 },
    credits: { reserved: 1, settled: 1 },
    reported_rows: [{ row: 2, outcome: 'kept', code: 'already_good' }],
  });
  expect(exported).toHaveLength(40);
  expect(JSON.parse(exported[7] ?? '')).toMatchObject({
    question: 'how do i solve question 7',
    answer: 'just give answer 7',
    enhanced_completion: 'Give answer 7 at once: this is a much better and complete answer about number 7.',
    id: '7',
  });
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({
    available: 9,
    held: 0,
    settled: 1,
  });
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('a file that cannot be read leaves a failed dataset that says why', async () => {
  const owner = await seedTeam(world.store, 0);
  const created = await world.call(create, { as: owner, body: { source: { name: 'tickets.csv' } } });
  const { dataset_id, upload_instructions } = created.body;
  await world.objects.write(upload_instructions?.s3_key ?? '', 'question,answer\n', 'text/csv');
  await world.call(complete, { as: owner, params: { dataset_id }, body: { file_size_bytes: 16 } });
  const [ingest] = [...world.executions.started.values()];

  await invoke('ingest/plan-ingest', ingest);
  const thrown = (await invoke('ingest/convert-file', ingest).catch((error: unknown) => error)) as Error;
  const error = { code: thrown.name, message: thrown.message, level: 'error' };
  await invoke('ingest/finish-ingest', { ...ingest, error });

  expect((await world.call(get, { as: owner, params: { dataset_id } })).body).toMatchObject({
    status: 'failed',
    error_data: { code: 'file_empty', message: expect.stringContaining('no rows'), level: 'error' },
  });
});

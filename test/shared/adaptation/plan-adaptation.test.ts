import { beforeEach, expect, test } from 'vitest';
import { planAdaptation } from '#shared/adaptation/plan-adaptation.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { BatchWork } from '#shared/runs/schema/run-context.ts';
import { linesOf, readPlan, startRun } from '#test/helpers/active-run.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const portsOf = (modelConcurrency = 1) => ({
  runs: world.store.runs,
  objects: world.objects,
  speeds: world.store.speeds,
  modelConcurrency,
  models: { rewrite: 'a-model' },
  promptVersions: { answer: 'v1' },
  clock: { now: () => NOW },
});

test('planning a run writes what the map iterates, and answers where it is and how many may work', async () => {
  const { context, run } = await startRun(world);

  const answer = await planAdaptation(portsOf(64), context);

  const plan = readPlan(world, run.run_id);
  expect(answer).toEqual({
    plan_key: objectKeys.work(run.run_id),
    max_concurrency: 1,
    signature_plan_key: null,
    adds_languages: false,
    is_batched: false,
  });
  expect(plan.map(({ n, first_row, row_count }) => [n, first_row, row_count])).toEqual([
    [0, 0, 100],
    [1, 100, 100],
    [2, 200, 50],
  ]);
  expect(plan.every((batch) => batch.team_id === context.team_id)).toBe(true);
});

test('planning a run gives the batches of a dataset that grew by single rows to few workers', async () => {
  const { context, run } = await startRun(world, { rows: 1000, chunkRows: 1 });

  const { plan_key } = await planAdaptation(portsOf(32), context);

  const plan = readPlan(world, run.run_id);
  const work = linesOf(world.objects.text(plan_key)).map((line) => BatchWork.parse(JSON.parse(line)));
  expect([plan.length, work.length]).toEqual([1000, 10]);
  expect(work.flatMap(({ also = [], ...batch }) => [batch, ...also])).toEqual(plan);
  // The input of a state has 256 KiB.
  expect(Math.max(...work.map((each) => JSON.stringify(each).length))).toBeLessThan(64 * 1024);
});

test('planning a run leaves none of the workers without rows', async () => {
  const { context, run } = await startRun(world, { rows: 250, chunkRows: 250 });

  const { max_concurrency } = await planAdaptation(portsOf(130), context);

  expect(max_concurrency).toBe(3);
  expect(readPlan(world, run.run_id).map(({ row_count }) => row_count)).toEqual([84, 84, 82]);
});

test('planning a run cuts chunks into shorter batches where the model is slow', async () => {
  const { batches } = await startRun(world, { modelConcurrency: 1 });

  expect(batches.length).toBeGreaterThan(3);
  expect(batches.reduce((sum, { row_count }) => sum + row_count, 0)).toBe(250);
});

test('planning a run records how many rows it processes, by which models and prompts', async () => {
  const { context, run, dataset } = await startRun(world, {
    request: { job_specification: { max_rows: 120 } },
  });

  await planAdaptation(portsOf(), context);

  expect(await world.store.runs.find(dataset.dataset_id, run.run_id)).toMatchObject({
    total_rows: 120,
    models: { rewrite: 'a-model' },
    prompt_versions: { answer: 'v1' },
  });
});

test('planning a run takes the first rows where there are images, not a sample', async () => {
  const { run, batches } = await startRun(world, {
    request: {
      column_mapping: { prompt: 'question', image: 'note' },
      job_specification: { max_rows: 130 },
    },
  });

  const selected = batches.flatMap(({ first_row, row_count, selected }) =>
    (selected ?? Array.from({ length: row_count }, (_, place) => place)).map((place) => first_row + place),
  );
  expect(selected).toEqual(Array.from({ length: 130 }, (_, row) => row));
  expect(run.reserved_credits).toBe(20);
});

test.each([{ chat: 'note' }, { universal_prompt: 'Go.', context: ['note'] }])(
  'planning a run has workers write what rows that are not selected show, where no column has it: %j',
  async (column_mapping) => {
    const { batches } = await startRun(world, {
      request: { column_mapping, job_specification: { max_rows: 1 } },
    });

    expect(batches.reduce((sum, { row_count }) => sum + row_count, 0)).toBe(250);
  },
);

test('planning a run takes the same sample in every run of the dataset', async () => {
  const sample = { request: { job_specification: { max_rows: 10 } } };
  const { context, run } = await startRun(world, sample);
  const before = readPlan(world, run.run_id);

  await planAdaptation(portsOf(), context);

  expect(readPlan(world, run.run_id)).toEqual(before);
  expect(before.flatMap(({ selected }) => selected ?? [])).toHaveLength(10);
});

test('planning a run stops where the run has ended meanwhile', async () => {
  const { context, run, dataset } = await startRun(world);
  await world.endRun({
    dataset_id: dataset.dataset_id,
    run_id: run.run_id,
    error: { code: 'run_interrupted', message: 'm', level: 'error' },
    billedCredits: 0,
    now: NOW,
  });

  await expect(planAdaptation(portsOf(), context)).rejects.toMatchObject({ code: 'run_interrupted' });
});

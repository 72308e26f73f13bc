import { expect, test } from 'vitest';
import { inStage } from '#shared/runs/in-stage.ts';
import { readProgress } from '#shared/runs/read-progress.ts';
import { startRun } from '#test/helpers/active-run.ts';
import { createWorld } from '#test/helpers/world.ts';

test('progress is the sum over the batches, of the rows that the run processes', async () => {
  const world = createWorld();
  const { run, dataset } = await startRun(world, { request: { job_specification: { max_rows: 200 } } });
  await world.store.runs.recordBatchProgress(run.run_id, 0, 30);
  await world.store.runs.recordBatchProgress(run.run_id, 3, 9);
  const active = await world.store.datasets.find(dataset.dataset_id);
  if (active === null) throw new Error('The dataset is gone.');

  expect(await readProgress(world.store.runs, active)).toEqual({
    percent: 19,
    processed_rows: 39,
    total_rows: 200,
    stage: null,
  });
  expect(await readProgress(world.store.runs, { ...active, state: 'succeeded' })).toBeNull();
});

test('progress never passes the whole, whatever is reported', async () => {
  const world = createWorld();
  const { run, dataset } = await startRun(world);
  await world.store.runs.recordBatchProgress(run.run_id, 0, 999);
  const active = await world.store.datasets.find(dataset.dataset_id);

  expect(active === null ? null : await readProgress(world.store.runs, active)).toMatchObject({
    percent: 100,
    processed_rows: 250,
  });
});

test('progress says what is done before the first row, and no longer once that is over, fails, or a row is done', async () => {
  const world = createWorld();
  const { run, dataset } = await startRun(world);
  const { runs } = world.store;
  const stage = async () => {
    const active = await world.store.datasets.find(dataset.dataset_id);
    return active === null ? null : (await readProgress(runs, active))?.stage;
  };

  const seen = await inStage(runs, run, 'measuring_judge', stage);
  const after = await stage();
  await expect(
    inStage(runs, run, 'looking_at_rows', async () => {
      expect(await stage()).toBe('looking_at_rows');
      throw new Error('It fails.');
    }),
  ).rejects.toThrow('It fails.');
  const failed = await stage();
  await runs.recordStage(dataset.dataset_id, run.run_id, 'looking_at_rows');
  await runs.recordBatchProgress(run.run_id, 0, 1);

  expect([seen, after, failed, await stage()]).toEqual(['measuring_judge', null, null, null]);
});

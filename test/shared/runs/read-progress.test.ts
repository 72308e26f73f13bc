import { expect, test } from 'vitest';
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

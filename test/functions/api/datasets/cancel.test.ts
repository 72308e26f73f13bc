import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/cancel.ts';
import { cancelRun } from '#shared/lifecycle/cancel-run.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { updateItem } from '#shared/platform/store/table.ts';
import {
  type ActiveRun,
  finishBatches,
  noBatchJobs,
  seedQuestions,
  startRun,
} from '#test/helpers/active-run.ts';
import { BATCH_SETTINGS } from '#test/helpers/batching.ts';
import { launchAdaptation } from '#test/helpers/operations.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const cancel = (as: Caller, dataset_id: string) => world.call(handler, { as, params: { dataset_id } });
const CANCEL_RUN = 'tasks/runs/cancel-run';

/** Does what was handed over, as the function does. */
async function handOver({ context }: ActiveRun): Promise<void> {
  const clock = createVirtualClock(Date.parse('2026-03-01T12:01:00Z'));
  const { store, objects, endRun, executions } = world;
  await clock.run(
    cancelRun({ ...store, objects, endRun, endBatchJobs: noBatchJobs, executions, clock }, context),
  );
}

test('the active run is handed over to its end, and the dataset is answered as it stands', async () => {
  const active = await startRun(world, { rows: 250 });
  const { dataset_id, run_id } = active.run;
  await world.store.runs.recordBatchProgress(run_id, 0, 25);

  const { status, body } = await cancel(active.caller, dataset_id);

  expect(status).toBe(202);
  expect(body).toMatchObject({
    dataset_id,
    status: 'running',
    progress: { percent: 10, processed_rows: 25, total_rows: 250 },
    error_data: null,
  });
  expect(world.invoked).toEqual([{ functionId: CANCEL_RUN, payload: { dataset_id, run_id } }]);
});

test('what was done is billed and the rest returns; the dataset then says that it was cancelled', async () => {
  const active = await startRun(world, { rows: 250, chunkRows: 100 });
  const [first] = active.batches;
  if (first === undefined) throw new Error('The run has no batch.');
  await finishBatches(world, { run: active.run, batches: [first] });
  await cancel(active.caller, active.dataset.dataset_id);

  await handOver(active);

  const { team_id } = active.caller;
  const balance = await world.store.ledger.findBalance(team_id);
  expect(balance).toMatchObject({ held: 0, active_runs: 0, settled: Math.ceil(first.row_count / 100) });
  expect(await world.store.datasets.find(active.dataset.dataset_id)).toMatchObject({
    state: 'failed',
    run_id: null,
    error_data: { code: 'run_cancelled' },
  });
});

test('a second request while it ends is answered like the first, and after the end the run stays as it ended', async () => {
  const active = await startRun(world);
  const { dataset_id } = active.dataset;
  const first = await cancel(active.caller, dataset_id);
  const second = await cancel(active.caller, dataset_id);
  expect([second.status, second.body]).toEqual([first.status, first.body]);

  await handOver(active);
  const ended = await world.store.runs.find(dataset_id, active.run.run_id);
  await handOver(active);
  const { status, headers, problem } = await cancel(active.caller, dataset_id);

  expect([status, problem.code]).toEqual([409, 'dataset_not_ready']);
  expect(headers['x-should-retry']).toBe('false');
  expect(world.invoked).toHaveLength(1);
  expect(await world.store.runs.find(dataset_id, active.run.run_id)).toEqual(ended);
});

test.each(['awaiting_upload', 'awaiting_input', 'succeeded', 'failed'] as const)(
  'a dataset that is %s has no run to cancel',
  async (state) => {
    const owner = await seedTeam(world.store, 0);
    const { dataset_id } = await seedDataset(world.store, owner, { state });

    expect((await cancel(owner, dataset_id)).problem).toMatchObject({
      statusCode: 409,
      code: 'dataset_not_ready',
      message: expect.stringContaining('No run is active'),
    });
    expect(world.invoked).toEqual([]);
  },
);

test.each(['expand', 'invent', 'augment'] as const)(
  'a run of %s is told to stop, and its machine goes on: it delivers the rows that are done',
  async (pipeline) => {
    const active = await startRun(world);
    const { caller, run } = active;
    await updateItem(world.table, {
      Key: keys.run(run.dataset_id, run.run_id),
      UpdateExpression: 'SET pipeline = :pipeline',
      ExpressionAttributeValues: { ':pipeline': pipeline },
    });

    expect((await cancel(caller, run.dataset_id)).status).toBe(202);
    await handOver(active);

    expect(await world.store.runs.find(run.dataset_id, run.run_id)).toMatchObject({
      status: 'running',
      stop_reason: { code: 'run_cancelled' },
    });
  },
);

test('workers are asked to stop at once, before anything else runs', async () => {
  const active = await startRun(world);
  const { dataset_id, run_id } = active.run;

  await cancel(active.caller, dataset_id);

  expect((await world.store.runs.find(dataset_id, run_id))?.stop_reason?.code).toBe('run_cancelled');
});

test('a team cancels as many runs in an hour as its plan says', async () => {
  const active = await startRun(world);
  const limited = { ...active.caller, plan: { ...active.caller.plan, cancellations_per_hour: 1 } };
  await world.store.freeUses.admit(limited, 'cancellations_per_hour', Date.now());

  const { problem } = await cancel(limited, active.dataset.dataset_id);

  expect([problem.statusCode, problem.code]).toEqual([429, 'rate_limited']);
  expect(world.invoked).toEqual([]);
});

test('a team cancels fewer runs with batch jobs, of which all rows are in flight', async () => {
  const caller = await seedTeam(world.store, 1000);
  const { dataset_id } = await seedQuestions(world, caller, 10);
  await world.installed(BATCH_SETTINGS)(launchAdaptation)({
    caller,
    datasetId: dataset_id,
    route: 'adapt',
    request: {
      column_mapping: { prompt: 'question', completion: 'answer' },
      job_specification: { processing: 'batch' },
    },
    now: Date.now(),
  });
  const limited = { ...caller, plan: { ...caller.plan, batch_cancellations_per_hour: 1 } };
  await world.store.freeUses.admit(limited, 'batch_cancellations_per_hour', Date.now());

  const { problem } = await cancel(limited, dataset_id);

  expect([problem.statusCode, problem.code]).toEqual([429, 'rate_limited']);
  expect(problem.details).toMatchObject([{ path: 'batch_cancellations_per_hour', limit: 1 }]);
  expect(world.invoked).toEqual([]);
});

test('another team cancels nothing', async () => {
  const active = await startRun(world);

  const { problem } = await cancel(strangerTo(active.caller), active.dataset.dataset_id);

  expect(problem.code).toBe('dataset_not_found');
  expect(world.invoked).toEqual([]);
});

import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/tasks/runs/cancel-run.ts';
import { newBatchState } from '#shared/adaptation/decide/batch-jobs.ts';
import { cancelRun } from '#shared/lifecycle/cancel-run.ts';
import { endInterruptedRun } from '#shared/lifecycle/end-interrupted-run.ts';
import { bind } from '#shared/platform/runtime/need.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import {
  type ActiveRun,
  evaluateRun,
  finishBatches,
  noBatchJobs,
  resultOf,
  startRun,
  writeResults,
} from '#test/helpers/active-run.ts';
import { createVirtualClock, type VirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let clock: VirtualClock;

beforeEach(() => {
  world = createWorld();
  clock = createVirtualClock(Date.parse('2026-03-01T00:00:00Z'));
});

/** What the deployed function has, which may touch the objects that its needs name and no others. */
const portsOf = () => bind(handler.needs, world.use, { clock, endBatchJobs: noBatchJobs });
const cancel = ({ context }: ActiveRun) => clock.run(cancelRun(portsOf(), context));
const runOf = ({ dataset, run }: ActiveRun) => world.store.runs.find(dataset.dataset_id, run.run_id);

/** Checkpoints of the first rows, as a worker leaves them that was in the middle. */
async function checkpoint({ run }: ActiveRun, rows: number): Promise<void> {
  const key = `${objectKeys.checkpoints(run.run_id, 0)}a-000000.jsonl`;
  await writeResults(
    world,
    key,
    Array.from({ length: rows }, (_, row) => resultOf(row)),
  );
}

test('cancelling a run stops its execution, bills what was delivered and frees the rest', async () => {
  const active = await startRun(world, { rows: 250 });
  await checkpoint(active, 25);

  expect(await cancel(active)).toEqual({ status: 'failed' });

  expect(await runOf(active)).toMatchObject({
    status: 'failed',
    error_data: { code: 'run_cancelled' },
    settled_credits: 1,
    counts: { changed: 25, failed: 225 },
  });
  expect(await world.executions.find('adapt', active.run.run_id)).toBe('failed');
  expect((await world.store.ledger.findBalance(active.run.team_id))?.held).toBe(0);
});

test('cancelling a run that has all its rows, and is only scored, delivers them as a success', async () => {
  const active = await startRun(world, { rows: 250 });
  await finishBatches(world, active);

  expect(await cancel(active)).toEqual({ status: 'succeeded' });

  expect(await runOf(active)).toMatchObject({
    status: 'succeeded',
    error_data: null,
    settled_credits: 3,
    counts: { changed: 250, failed: 0 },
  });
  expect(await world.store.datasets.find(active.dataset.dataset_id)).toMatchObject({
    state: 'succeeded',
    error_data: null,
    output_row_count: 250,
  });
});

test('cancelling a run that has all its rows and its grades delivers these with them', async () => {
  const active = await startRun(world, { rows: 250 });
  await finishBatches(world, active);
  const summary = await evaluateRun(world, active);

  expect(await cancel(active)).toEqual({ status: 'succeeded' });

  const dataset = await world.store.datasets.find(active.dataset.dataset_id);
  expect(dataset?.evaluation_summary).toEqual(summary);
});

test('cancelling a run that is being scored leaves no evaluation that goes on', async () => {
  const active = await startRun(world, { rows: 250 });
  await finishBatches(world, active);
  await evaluateRun(world, active, 'running');

  await cancel(active);

  const { dataset_id, run_id } = active.context;
  expect(await world.store.datasets.findEvaluation(dataset_id, run_id)).toMatchObject({ status: 'failed' });
  expect((await world.store.datasets.find(dataset_id))?.evaluation_summary).toBeNull();
});

test('cancelling a run that has all rows of its source, and no plan of those in other languages, fails it', async () => {
  const expansion = { type: 'translate' as const, languages: ['es'], sample_rate: 0.1 };
  const active = await startRun(world, { rows: 250, request: { language_expansion: expansion } });
  await finishBatches(world, active);

  expect(await cancel(active)).toEqual({ status: 'failed' });

  expect(await runOf(active)).toMatchObject({ error_data: { code: 'run_cancelled' }, settled_credits: 3 });
});

test('cancelling a run of which too many rows failed fails it for the reason that it was stopped', async () => {
  const active = await startRun(world, { rows: 250 });
  await finishBatches(world, active, () => 'failed');

  expect(await cancel(active)).toEqual({ status: 'failed' });

  expect(await runOf(active)).toMatchObject({ error_data: { code: 'run_cancelled' }, settled_credits: 0 });
});

test('cancelling a run tells the workers first, and what they leave within seconds is delivered', async () => {
  const active = await startRun(world, { rows: 250 });
  const cancelled = cancel(active);
  await clock.sleep(4000);
  expect((await runOf(active))?.stop_reason?.code).toBe('run_cancelled');
  await checkpoint(active, 30);

  await cancelled;

  expect((await runOf(active))?.counts?.changed).toBe(30);
});

test('cancelling a run works where the execution is gone, and where the run has ended nothing changes', async () => {
  const active = await startRun(world);
  world.executions.set(active.run.run_id, 'missing');

  expect(await cancel(active)).toEqual({ status: 'failed' });
  const ended = await runOf(active);
  expect(await cancel(active)).toEqual({ status: 'failed' });
  expect(await runOf(active)).toEqual(ended);
});

test('cancelling a run is said also where the event of the stopped execution comes first', async () => {
  const active = await startRun(world);
  const cancelled = cancel(active);
  await clock.sleep(3000);
  const event = { name: active.run.run_id, status: 'ABORTED', input: JSON.stringify(active.context) };
  await endInterruptedRun(portsOf(), { ...event, now: clock.now() });

  await cancelled;

  expect((await runOf(active))?.error_data?.code).toBe('run_cancelled');
});

test('cancelling a run waits eight seconds for its workers, and no longer than they take', async () => {
  const active = await startRun(world);
  const before = clock.now();
  await cancel(active);
  expect(clock.now() - before).toBe(8000);

  const ending = await startRun(world);
  const cancelled = cancel(ending);
  await clock.sleep(2500);
  await world.endRun({ ...ending.context, error: null, billedCredits: 3, now: clock.now() });
  const ended = clock.now();

  expect(await cancelled).toEqual({ status: 'succeeded' });
  expect(clock.now() - ended).toBeLessThanOrEqual(1000);
  expect(await world.executions.find('adapt', ending.run.run_id)).toBe('running');
});

test.each([
  ['waits for its first jobs', 'jobs', 1],
  ['collects what jobs have answered', 'collect', 2],
] as const)(
  'cancelling a run that %s has them ended, and leaves its end to the state machine',
  async (_, stage, pass) => {
    const active = await startRun(world);
    const { run_id } = active.run;
    const state = JSON.stringify({ ...newBatchState(0), stage, pass });
    await world.objects.write(objectKeys.batchState(run_id), state, 'application/json');
    const ended: string[] = [];
    const ports = { ...portsOf(), endBatchJobs: async (runId: string) => void ended.push(runId) };

    expect(await clock.run(cancelRun(ports, active.context))).toEqual({ status: 'running' });

    expect(ended).toEqual([run_id]);
    expect(await runOf(active)).toMatchObject({ status: 'running', stop_reason: { code: 'run_cancelled' } });
    expect(await world.executions.find('adapt', run_id)).toBe('running');
  },
);

test.each([
  ['has no job yet', 'collect', 1],
  ['has all answers of its jobs', 'done', 3],
] as const)('cancelling a run that %s is ended at once', async (_, stage, pass) => {
  const active = await startRun(world);
  const state = JSON.stringify({ ...newBatchState(0), stage, pass });
  await world.objects.write(objectKeys.batchState(active.run.run_id), state, 'application/json');

  const ports = { ...portsOf(), endBatchJobs: async () => {} };
  expect(await clock.run(cancelRun(ports, active.context))).toEqual({ status: 'failed' });
});

test('cancelling a run says why it was stopped before, if it was', async () => {
  const active = await startRun(world);
  const reason = {
    code: 'run_budget_exceeded',
    message: 'It has used up its tokens.',
    level: 'error',
  } as const;
  await world.store.runs.requestStop(active.run.dataset_id, active.run.run_id, reason);

  await cancel(active);

  expect((await runOf(active))?.error_data).toEqual(reason);
});

test('cancelling a run that was never planned leaves no counts', async () => {
  const active = await startRun(world);
  await world.objects.remove([objectKeys.plan(active.run.run_id)]);

  expect(await cancel(active)).toEqual({ status: 'failed' });

  expect(await runOf(active)).toMatchObject({ counts: null, settled_credits: 0 });
});

test('cancelling a run that nobody knows says so, and stops nothing', async () => {
  const active = await startRun(world);

  const unknown = { ...active, context: { ...active.context, run_id: 'unknown' } };

  expect(await cancel(unknown)).toEqual({ status: 'missing' });
  expect(await world.executions.find('adapt', active.run.run_id)).toBe('running');
});

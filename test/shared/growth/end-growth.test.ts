import { beforeEach, expect, test } from 'vitest';
import { endGrowth } from '#shared/growth/end-growth.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { makeDataset, makeRun, NOW, seedTeam } from '#test/helpers/records.ts';
import { faultsOf, interruption, launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const stop = { code: 'run_cancelled', message: 'It was cancelled.', level: 'error' } as const;
const rows = {
  ...{ total: 250, changed: 0, kept: 100, dropped: 0, failed: 0, not_selected: 0 },
  ...{ expanded: 150, expansion_failed: 0 },
};
const report = { rows, tokens: { input: 0, output: 0, calls: 0 }, reported_rows: [], stages: [] };

let world: World;
let run: RunRecord;

/** A run that makes a dataset, whose rows are delivered or not. */
async function launch(isDelivered: boolean, isWhole = false): Promise<void> {
  const caller = await seedTeam(world.store, 100);
  const made = makeDataset(caller, {
    state: 'ingesting',
    manifest_key: isDelivered ? 'datasets/d/rows/manifest.json' : null,
  });
  run = makeRun(made, { pipeline: 'expand', reserved_credits: 5 });
  await world.store.ledger.launch(launchOf(run, { newDataset: made }));
  await world.objects.write(
    objectKeys.report(run.run_id),
    JSON.stringify({ ...report, is_whole: isWhole }),
    'application/json',
  );
}

const settle = (error: Parameters<typeof endGrowth>[2], now = NOW) =>
  endGrowth(
    {
      datasets: world.store.datasets,
      runs: world.store.runs,
      objects: world.objects,
      endRun: world.endRun,
    },
    run,
    error,
    now,
  );
const balance = () => world.store.ledger.findBalance(run.team_id);

beforeEach(() => {
  world = createWorld();
});

test('a run that made its dataset is billed the new rows, and has their counts', async () => {
  await launch(true);

  expect(await settle(null)).toMatchObject({
    status: 'succeeded',
    settled_credits: 2,
    counts: rows,
    error_data: null,
    ended_at: '2026-03-01T12:00:00.000Z',
  });
  expect(await balance()).toMatchObject({ available: 98, held: 0, settled: 2 });
  expect(await faultsOf(world.store, run.team_id)).toEqual([]);
});

test('a run that failed before its rows were delivered is billed nothing, and has no counts', async () => {
  await launch(false);

  expect(await settle(interruption)).toMatchObject({
    status: 'failed',
    settled_credits: 0,
    counts: null,
    error_data: interruption,
  });
  expect(await balance()).toMatchObject({ available: 100, held: 0, settled: 0 });
});

test('a run that was stopped says why it was, and not what that led to', async () => {
  await launch(false);
  await world.store.runs.requestStop(run.dataset_id, run.run_id, stop);

  expect(await settle(interruption)).toMatchObject({ status: 'failed', error_data: stop });
});

test('a stop that came too late is no failure', async () => {
  await launch(true);
  await world.store.runs.requestStop(run.dataset_id, run.run_id, stop);

  expect(await settle(null)).toMatchObject({ status: 'succeeded', error_data: null });
});

test('a run that failed, or was stopped, when all its rows were delivered has succeeded', async () => {
  await launch(true, true);
  await world.store.runs.requestStop(run.dataset_id, run.run_id, stop);

  expect(await settle(interruption)).toMatchObject({
    status: 'succeeded',
    settled_credits: 2,
    counts: rows,
    error_data: null,
  });
});

test('a run that failed when a part of its rows was delivered has failed, and is billed these', async () => {
  await launch(true);

  expect(await settle(interruption)).toMatchObject({
    status: 'failed',
    settled_credits: 2,
    error_data: interruption,
  });
});

test('the first end stands, and nothing is billed again', async () => {
  await launch(true);
  const first = await settle(null);

  expect(await settle(interruption, NOW + 1000)).toEqual(first);
  expect(await balance()).toMatchObject({ settled: 2 });
});

test('a run that nobody knows is an error', async () => {
  await launch(true);
  run = { ...run, run_id: 'unknown' };

  await expect(settle(null)).rejects.toThrow('unknown');
});

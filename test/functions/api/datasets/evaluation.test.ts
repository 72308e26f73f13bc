import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/evaluation.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  dataset = await seedDataset(world.store, owner);
});

const get = async () =>
  (await world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id } })).body;

const record = {
  run_id: 'run-1',
  status: 'running' as const,
  quality: null,
  results_key: null,
  started_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
};

test('before any run it is pending', async () => {
  const { dataset_id } = dataset;

  expect(await get()).toEqual({
    dataset_id,
    status: 'pending',
    quality: null,
    raw_results: null,
    history: [],
  });
});

test.each([
  ['was uploaded for training as it is', { state: 'succeeded', processing_mode: 'raw' }],
  ['was made by a generation', { state: 'succeeded', kind: 'invented' }],
  ['was made of others', { state: 'succeeded', kind: 'combined' }],
  ['could not be read', { state: 'failed' }],
  ['was adapted by a run that ended before its rows were planned', { state: 'failed', last_run_id: 'run-1' }],
] as const)('of a dataset that %s it is skipped, so that waiting for it ends', async (_, fields) => {
  dataset = await seedDataset(world.store, owner, fields);

  expect(await get()).toMatchObject({ status: 'skipped', quality: null, raw_results: null });
});

test.each(['awaiting_upload', 'awaiting_preprocessing', 'ingesting', 'awaiting_input', 'running'] as const)(
  'of a dataset that is %s it may still come',
  async (state) => {
    dataset = await seedDataset(world.store, owner, { state });

    expect(await get()).toMatchObject({ status: 'pending' });
  },
);

test('while it runs it has no results', async () => {
  dataset = await seedDataset(world.store, owner, { state: 'running', run_id: 'run-1' });
  await world.store.datasets.recordEvaluation(dataset.team_id, { dataset_id: dataset.dataset_id, ...record });

  expect(await get()).toMatchObject({ status: 'running', quality: null, raw_results: null });
});

test('once it is done it has its quality and the results that were stored', async () => {
  dataset = await seedDataset(world.store, owner, { state: 'succeeded', last_run_id: 'run-1' });
  const quality = {
    grade_before: 'C' as const,
    grade_after: 'A' as const,
    score_before: 6.2,
    score_after: 9.1,
    percentile_after: 92.3,
    improvement_percent: 46.8,
  };
  await world.objects.write('runs/run-1/evaluation/result.json', '{"method":"judge","n":[1,2]}', 'x');
  await world.store.datasets.recordEvaluation(dataset.team_id, {
    dataset_id: dataset.dataset_id,
    ...record,
    status: 'succeeded',
    quality,
    results_key: 'runs/run-1/evaluation/result.json',
  });

  expect(await get()).toMatchObject({
    status: 'succeeded',
    quality,
    raw_results: { method: 'judge', n: [1, 2] },
  });
});

test('the evaluation whose run was interrupted has failed, for nobody will conclude it', async () => {
  dataset = await seedDataset(world.store, owner, { state: 'failed', last_run_id: 'run-1' });
  await world.store.datasets.recordEvaluation(dataset.team_id, { dataset_id: dataset.dataset_id, ...record });

  expect(await get()).toMatchObject({ status: 'failed', quality: null, raw_results: null });
});

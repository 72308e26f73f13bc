import { describe, expect, test } from 'vitest';
import { type Balance, emptyBalance } from '#shared/access/decide/ledger/record.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetState } from '#shared/datasets/decide/states.ts';
import {
  activeState,
  launchedDataset,
  refusalOfLaunch,
  reservation,
} from '#shared/runs/decide/ledger/launch.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import { makeCaller, makeDataset, makeRun } from '#test/helpers/records.ts';
import { launchOf } from '#test/helpers/store-contract.ts';

const dataset = makeDataset(makeCaller());
const runOf = (pipeline: RunPipeline, reserved: number) =>
  makeRun(dataset, { run_id: 'run-now', pipeline, reserved_credits: reserved });
const run = runOf('adapt', 4);
const balance: Balance = { ...emptyBalance(run.team_id), granted: 10, available: 10 };
const paid: RunPipeline[] = ['adapt', 'train', 'expand', 'invent', 'augment'];
const free: RunPipeline[] = ['ingest', 'import', 'combine'];

const refusal = (
  fields: Partial<{
    run: RunRecord;
    dataset: Partial<DatasetRecord> | null;
    balance: Partial<Balance>;
    runsAtOnce: number;
    training: string;
  }> = {},
) => {
  const found = fields.dataset === null ? null : { ...dataset, ...fields.dataset };
  return refusalOfLaunch(
    launchOf(fields.run ?? run, { runsAtOnce: fields.runsAtOnce ?? 5 }),
    found,
    { ...balance, ...fields.balance },
    fields.training,
  );
};

test.each(paid)('%s reserves them', (pipeline) => {
  expect(reservation(runOf(pipeline, 4))).toEqual({
    hold: {
      team_id: run.team_id,
      run_id: 'run-now',
      dataset_id: run.dataset_id,
      credits: 4,
      state: 'held',
      settled_credits: null,
      created_at: run.started_at,
      ended_at: null,
    },
    entry: {
      entry_id: 'run-now-reserve',
      team_id: run.team_id,
      type: 'reserve',
      credits: 4,
      run_id: 'run-now',
      dataset_id: run.dataset_id,
      block: null,
      reason: null,
      created_at: run.started_at,
    },
  });
});

test.each(free)('%s reserves none, and must ask for none', (pipeline) => {
  expect(reservation(runOf(pipeline, 0))).toBeNull();
  expect(() => reservation(runOf(pipeline, 1))).toThrow(RangeError);
});

test('the credits of a launch must be available to the last one', () => {
  expect(refusal({ balance: { available: 4 } })).toBeNull();
  expect(refusal({ balance: { available: 3 } })).toMatchObject({
    code: 'credits_insufficient',
    details: [{ needed: 4, available: 3 }],
  });
});

test('the places of a plan are as many as it says', () => {
  expect(refusal({ balance: { active_runs: 4 } })).toBeNull();
  expect(refusal({ balance: { active_runs: 5 } })).toMatchObject({
    code: 'runs_limit_reached',
    retryAfterSeconds: 60,
  });
});

test('the places of a plan and credits are no matter to a run that is free', () => {
  const fields = {
    dataset: { state: 'awaiting_upload' },
    balance: { active_runs: 9, available: 0 },
  } as const;

  for (const pipeline of free) expect(refusal({ ...fields, run: runOf(pipeline, 0) })).toBeNull();
});

test('a launch puts its run on the dataset, and forgets an earlier error', () => {
  const changes = { configured_column_mapping: { prompt: 'question', context: [] } };

  expect(launchedDataset(launchOf(run, { changes }))).toEqual({
    ...changes,
    state: 'running',
    run_id: 'run-now',
    error_data: null,
    updated_at: run.started_at,
  });
});

test('a dataset is being read while a free run is on it, and runs otherwise', () => {
  for (const pipeline of free) expect(activeState({ pipeline })).toBe('ingesting');
  for (const pipeline of paid) expect(activeState({ pipeline })).toBe('running');
});

test.each<[string, Partial<DatasetRecord> | null]>([
  ['missing', null],
  ['deleted', { state: 'deleted' }],
  ['another team’s', { team_id: 'another' }],
])('the dataset of a launch that is %s is not found, whatever is to run on it', (_what, found) => {
  for (const pipeline of ['adapt', 'train', 'ingest'] as const) {
    const reserved = pipeline === 'ingest' ? 0 : 4;
    expect(refusal({ dataset: found, run: runOf(pipeline, reserved) })).toMatchObject({
      code: 'dataset_not_found',
    });
  }
});

test.each<DatasetState>(['awaiting_input', 'succeeded', 'failed'])(
  'the dataset of a launch that is %s is adapted',
  (state) => {
    expect(refusal({ dataset: { state } })).toBeNull();
  },
);

test.each<[DatasetState, RegExp]>([
  ['awaiting_upload', /Upload its file/],
  ['awaiting_preprocessing', /deferred/],
  ['ingesting', /still being read/],
])('the dataset of a launch that is %s is not adapted, and says what to wait for', (state, message) => {
  expect(refusal({ dataset: { state } })).toMatchObject({
    code: 'dataset_not_ready',
    message: expect.stringMatching(message),
  });
});

test('the dataset of a launch on which a run is active names it', () => {
  expect(refusal({ dataset: { state: 'running', run_id: 'run-before' } })).toMatchObject({
    code: 'dataset_running',
    message: expect.stringContaining('run-before'),
  });
});

test.each<Partial<DatasetRecord>>([
  { manifest_key: null },
  { row_count: 0 },
  { row_count: null },
  { manifest_key: null, row_count: 0 },
])('the dataset of a launch without rows (%j) is not adapted', (fields) => {
  for (const state of ['failed', 'awaiting_input'] as const) {
    expect(refusal({ dataset: { state, ...fields } })).toMatchObject({
      code: 'dataset_not_ready',
      message: expect.stringContaining('no rows'),
    });
  }
});

test('the dataset of a launch is read once', () => {
  expect(refusal({ dataset: { state: 'awaiting_upload' }, run: runOf('ingest', 0) })).toBeNull();
  expect(refusal({ dataset: { state: 'awaiting_input' }, run: runOf('ingest', 0) })).toMatchObject({
    code: 'dataset_not_ready',
    message: expect.stringContaining('completed already'),
  });
});

test('the dataset of a launch that the launch makes need not be there', () => {
  const launch = launchOf(runOf('expand', 4), { newDataset: dataset });

  expect(refusalOfLaunch(launch, null, balance)).toBeNull();
  expect(refusalOfLaunch(launch, null, { ...balance, available: 3 })).toMatchObject({
    code: 'credits_insufficient',
  });
});

describe('a training', () => {
  const training = runOf('train', 4);

  test('a training is of a dataset with a result', () => {
    expect(refusal({ run: training, dataset: { state: 'succeeded' } })).toBeNull();
    expect(refusal({ run: training, dataset: { state: 'awaiting_input' } })).toMatchObject({
      code: 'dataset_untrainable',
    });
  });

  test('a training is one at once of a dataset, which other runs may use meanwhile', () => {
    expect(refusal({ run: training, dataset: { state: 'succeeded' }, training: 'earlier' })).toMatchObject({
      code: 'training_running',
      message: expect.stringContaining('earlier'),
    });
    expect(refusal({ dataset: { state: 'succeeded' }, training: 'earlier' })).toBeNull();
  });
});

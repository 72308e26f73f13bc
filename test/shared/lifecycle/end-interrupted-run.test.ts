import { beforeEach, expect, test } from 'vitest';
import { endInterruptedRun } from '#shared/lifecycle/end-interrupted-run.ts';
import type { ExecutionStatus } from '#shared/runs/decide/executions.ts';
import {
  type ActiveRun,
  evaluateRun,
  finishBatches,
  noBatchJobs,
  startRun,
} from '#test/helpers/active-run.ts';
import { iterateComparison, seedComparable, startComparison } from '#test/helpers/comparing.ts';
import { makeDataset, makeRun, NOW, seedTeam } from '#test/helpers/records.ts';
import { endingOf, faultsOf, launchOf } from '#test/helpers/store-contract.ts';
import { bestOf, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let active: ActiveRun;

beforeEach(async () => {
  world = createWorld();
  active = await startRun(world);
  found = async () => 'missing';
});

/** What is known of the execution when it is looked for once more. */
let found: () => Promise<ExecutionStatus>;

const end = (fields: Partial<{ name: string; status: string; input: string }> = {}) =>
  endInterruptedRun(
    {
      datasets: world.store.datasets,
      runs: world.store.runs,
      objects: world.objects,
      trainings: world.store.trainings,
      endRun: world.endRun,
      endBatchJobs: noBatchJobs,
      executions: { find: () => found() },
    },
    {
      name: active.run.run_id,
      status: 'TIMED_OUT',
      input: JSON.stringify(active.context),
      now: NOW,
      ...fields,
    },
  );
const reload = () => world.store.runs.find(active.dataset.dataset_id, active.run.run_id);

test.each([
  ['FAILED', 'run_interrupted'],
  ['ABORTED', 'run_interrupted'],
  ['TIMED_OUT', 'run_timed_out'],
])(
  'an execution whose end its own machine could not write that %s fails its run as %s and leaves no credit held',
  async (status, code) => {
    expect(await end({ status })).toEqual({ status: 'failed' });

    expect(await reload()).toMatchObject({ status: 'failed', error_data: { code } });
    expect(await world.store.ledger.findBalance(active.caller.team_id)).toMatchObject({
      held: 0,
      available: 1000,
    });
    expect(await world.store.datasets.find(active.dataset.dataset_id)).toMatchObject({
      state: 'failed',
      run_id: null,
    });
  },
);

test('an execution whose end its own machine could not write is billed for the rows that it had finished', async () => {
  await finishBatches(world, { ...active, batches: active.batches.slice(0, 4) });

  await end();

  expect(await reload()).toMatchObject({ settled_credits: 2 });
  expect(await faultsOf(world.store, active.caller.team_id)).toEqual([]);
});

test('an execution whose end its own machine could not write has the grades that its rows got', async () => {
  await finishBatches(world, active);
  const summary = await evaluateRun(world, active);

  expect(await end()).toEqual({ status: 'succeeded' });

  const dataset = await world.store.datasets.find(active.dataset.dataset_id);
  expect(dataset?.evaluation_summary).toEqual(summary);
});

test('an execution whose end its own machine could not write may be told of twice', async () => {
  await end();
  const first = await reload();

  expect(await end({ status: 'FAILED' })).toEqual({ status: 'failed' });
  expect(await reload()).toEqual(first);
});

test.each([
  ['a run that has succeeded', 'succeeded'],
  ['a run that goes on', 'ignored'],
])('an event that is none of a run’s business of %s changes nothing', async (_what, answer) => {
  if (answer === 'succeeded') {
    const { dataset_id, run_id } = active.run;
    await world.endRun({ dataset_id, run_id, error: null, billedCredits: 3, now: NOW });
  }
  const before = await reload();

  expect(await end(answer === 'succeeded' ? {} : { status: 'RUNNING' })).toEqual({ status: answer });
  expect(await reload()).toEqual(before);
});

test('an event that is none of a run’s business of an evaluation that failed leaves the run that started it alone', async () => {
  expect(await end({ name: `${active.run.run_id}-evaluate`, status: 'FAILED' })).toEqual({
    status: 'ignored',
  });

  expect(await reload()).toMatchObject({ status: 'running' });
});

test.each(['{"bucket":"b","plan_key":"p"}', '{}', 'null'])(
  'an event that is none of a run’s business with the input %s is ignored',
  async (input) => {
    expect(await end({ input })).toEqual({ status: 'ignored' });
  },
);

test('an event that is none of a run’s business of a run that nobody knows is ignored', async () => {
  const input = JSON.stringify({ ...active.context, run_id: 'unknown' });

  expect(await end({ name: 'unknown', input })).toEqual({ status: 'ignored' });
});

test('a training whose execution was stopped is billed the rows that it had added, and no more', async () => {
  const caller = await seedTeam(world.store, 100);
  const dataset = await seedTrainable(world, caller);
  const made = makeDataset(caller, { state: 'ingesting' });
  const adding = makeRun(made, { pipeline: 'augment', reserved_credits: 0 });
  await world.store.ledger.launch(launchOf(adding, { newDataset: made }));
  const ended = endingOf(adding, { billedCredits: 0 });
  await world.store.ledger.end({
    ...ended,
    counts: ended.counts === null ? null : { ...ended.counts, expanded: 120 },
  });
  const augmented = { dataset_id: made.dataset_id, run_id: adding.run_id };
  const asked = { augmentation_domain_rows: 300, augmented };
  const { experiment_id: run_id, dataset_id, team_id } = await launchTraining(world, dataset, asked, 30);

  await end({ name: run_id, status: 'ABORTED', input: JSON.stringify({ run_id, dataset_id, team_id }) });

  expect(await world.store.ledger.findBalance(team_id)).toMatchObject({
    settled: 20,
    available: 80,
    held: 0,
  });
  expect((await world.store.trainings.find(team_id, run_id))?.status).toBe('failed');
  expect(await faultsOf(world.store, team_id)).toEqual([]);
});

test('a comparison that timed out deletes its models', async () => {
  const compared = await seedComparable(world);
  const context = await startComparison(world, compared);
  await iterateComparison(world, context, { wins: 8 });
  const models = () => world.objects.keys().filter((key) => key.endsWith('/artifact.tar.gz'));
  expect(models()).toHaveLength(1);

  const { status } = await end({ name: context.run_id, input: JSON.stringify(context) });

  expect(status).toBe('failed');
  expect(models()).toEqual([]);
});

test.each(['TIMED_OUT', 'FAILED'])(
  'a training with a model has succeeded, though its execution %s',
  async (status) => {
    const caller = await seedTeam(world.store, 100);
    const dataset = await seedTrainable(world, caller);
    const best = bestOf('t');
    const { experiment_id: run_id, dataset_id, team_id } = await launchTraining(world, dataset, { best }, 30);

    await end({ name: run_id, status, input: JSON.stringify({ run_id, dataset_id, team_id }) });

    expect(await world.store.trainings.find(team_id, run_id)).toMatchObject({ status: 'succeeded', best });
    expect(await faultsOf(world.store, team_id)).toEqual([]);
  },
);

test('a run that was missing when it was swept goes on where a repetition has started it since', async () => {
  found = async () => 'running';
  const before = await reload();

  expect(await end({ status: 'MISSING' })).toEqual({ status: 'running' });
  expect(await reload()).toEqual(before);
});

test('a run that was missing when it was swept ends as not started, though its request is stored', async () => {
  expect(await end({ status: 'MISSING' })).toEqual({ status: 'failed' });

  expect(await reload()).toMatchObject({ error_data: { code: 'run_not_started' }, settled_credits: 0 });
  expect(await faultsOf(world.store, active.caller.team_id)).toEqual([]);
});

test('a run that was missing when it was swept goes on where a repetition is answered with it meanwhile', async () => {
  const { dataset_id, run_id } = active.run;
  found = async () => {
    await world.store.runs.markAnswered(dataset_id, run_id);
    return 'missing';
  };

  expect(await end({ status: 'MISSING' })).toEqual({ status: 'running' });
  expect(await reload()).toMatchObject({ status: 'running' });
});

test('a run that was missing when it was swept has failed where a repetition was answered with it before', async () => {
  const { dataset_id, run_id } = active.run;
  await world.store.runs.markAnswered(dataset_id, run_id);

  expect(await end({ status: 'MISSING' })).toEqual({ status: 'failed' });
  expect(await reload()).toMatchObject({ error_data: { code: 'run_interrupted' } });
});

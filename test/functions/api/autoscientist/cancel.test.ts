import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/autoscientist/cancel.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { updateItem } from '#shared/platform/store/table.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { deliverRows } from '#shared/runs/deliver-rows.ts';
import { type CancelTrainingPorts, cancelTraining } from '#shared/training/cancel-training.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { TrainerPhase } from '#shared/training/schema/training-job.ts';
import { makeDataset, makeRun, NOW, seedTeam } from '#test/helpers/records.ts';
import { endingOf, faultsOf } from '#test/helpers/store-contract.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  dataset = await seedTrainable(world, owner);
});

const portsOf = ({ store, objects, endRun, executions }: World): CancelTrainingPorts => ({
  ...store,
  objects,
  endRun,
  executions,
  onStopFailed: (error) => {
    throw error;
  },
});

const cancel = (experiment_id: string, as = owner) => world.call(handler, { as, params: { experiment_id } });
const ATTEMPT = { iteration: 1, attempt: 2, queued_at: '2026-03-01T12:00:00.000Z' };

/** A training whose trainer is at a phase. */
async function trainingAt(phase: TrainerPhase, state: 'claimed' | 'revoked' = 'claimed') {
  const training = await launchTraining(world, dataset);
  const id = { ...training, ...ATTEMPT };
  await world.store.trainings.recordProgress(training.experiment_id, { status: 'running', attempt: ATTEMPT });
  await world.store.trainings.queueAttempt(id, { job_key: 'job', queued_at: ATTEMPT.queued_at });
  const { pk, sk } = world.store.trainings.attemptItem(id);
  await updateItem(world.table, {
    Key: { pk, sk },
    UpdateExpression: 'SET #state = :state, phase = :phase',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':state': state, ':phase': phase },
  });
  return { training, attempt: () => world.store.trainings.findAttempt(id) };
}

test('a training ends at once: its credits return, its trainer is refused, its execution is stopped', async () => {
  const { training, attempt } = await trainingAt('training');

  const { status, body } = await cancel(training.experiment_id);

  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'cancelled', error: null, completed_at: expect.any(String) });
  expect((await attempt())?.state).toBe('revoked');
  expect(await world.executions.find('train', training.experiment_id)).toBe('failed');
  expect((await world.store.ledger.findBalance(owner.team_id))?.active_runs).toBe(0);
});

test('between its stages it is refused for a moment', async () => {
  const { training, attempt } = await trainingAt('handing_over');

  const { problem, headers } = await cancel(training.experiment_id);

  expect(problem).toMatchObject({ statusCode: 409, code: 'training_handing_over' });
  expect([headers['x-should-retry'], headers['retry-after']]).toEqual(['true', '5']);
  expect((await attempt())?.state).toBe('claimed');
  expect((await world.store.trainings.find(owner.team_id, training.experiment_id))?.status).toBe('running');
});

test('an attempt that was given up does not stand against it, whatever it was at', async () => {
  const { training } = await trainingAt('handing_over', 'revoked');

  expect((await cancel(training.experiment_id)).body.status).toBe('cancelled');
});

test('one that has ended is answered as it ended', async () => {
  const training = await launchTraining(world, dataset);
  await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });

  const { status, body } = await cancel(training.experiment_id);

  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'succeeded', download_available: true });
});

test('a second request changes nothing', async () => {
  const training = await launchTraining(world, dataset);
  const first = (await cancel(training.experiment_id)).body;

  expect((await cancel(training.experiment_id)).body).toEqual(first);
});

test('another team’s training is not there', async () => {
  const training = await launchTraining(world, dataset);

  expect((await cancel(training.experiment_id, strangerTo(owner))).problem.code).toBe('training_not_found');
  expect((await cancel(crypto.randomUUID())).problem.code).toBe('training_not_found');
});

test('it ends also where its execution cannot be stopped, which is told', async () => {
  const training = await launchTraining(world, dataset);
  const failed: unknown[] = [];
  const ports = {
    ...portsOf(world),
    executions: {
      stop: async () => {
        throw new Error('no');
      },
    },
    onStopFailed: (error: unknown) => void failed.push(error),
  };

  const { status } = await cancelTraining(ports, training, NOW);

  expect(status).toBe('cancelled');
  expect(failed).toHaveLength(1);
});

describe('of its augmentation', () => {
  const counts = { ...endingOf(makeRun(makeDataset({} as Caller))).counts, expanded: 150 };

  async function augmentedTraining(hasEnded: boolean, fields: Partial<TrainingRecord> = {}) {
    const made = makeDataset(owner, { state: 'ingesting', manifest_key: null });
    const run = makeRun(made, { pipeline: 'augment', reserved_credits: 0 });
    await world.store.ledger.launch({
      run,
      changes: {},
      runsAtOnce: 9,
      idempotency: null,
      newDataset: made,
    });
    if (hasEnded) {
      await world.store.ledger.end(endingOf(run, { counts: counts as never, billedCredits: 0 }));
    }
    const augmented = { dataset_id: made.dataset_id, run_id: run.run_id };
    const asked = { augmentation_domain_rows: 200, augmentation_general_rows: 100, augmented, ...fields };
    return { run, training: await launchTraining(world, dataset, asked, 30) };
  }

  test('the rows that an augmentation added are billed', async () => {
    const { training } = await augmentedTraining(true);

    await cancel(training.experiment_id);

    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({
      available: 80,
      settled: 20,
      held: 0,
    });
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });

  test.each([
    ['some', true, 1],
    ['no', false, 0],
  ])(
    'a voucher for everything is used by a training that had rows alone: %s rows',
    async (_, hasRows, uses) => {
      await world.store.vouchers.create({
        code: 'ALL',
        percent: 100,
        uses: 1,
        uses_max: 1,
        valid_until: null,
        team_id: null,
        created_at: '2026-01-01T00:00:00.000Z',
        revoked_at: null,
      });
      const { training } = await augmentedTraining(hasRows, { voucher: 'ALL', discount_percent: 100 });

      await cancel(training.experiment_id);

      expect(await world.store.vouchers.find('ALL')).toMatchObject({ uses });
      expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ available: 100, held: 0 });
    },
  );

  test.each([
    ['goes on', false, 90_000],
    ['has delivered its rows', true, 0],
  ])('what models wrote of one that %s counts as unbilled: %s, %d tokens', async (_, hasEnded, unbilled) => {
    const { training, run } = await augmentedTraining(hasEnded);
    await world.store.runs.recordBatchProgress(run.run_id, 0, 10, {
      tokens: 90_000,
      failedRows: 0,
      startedAtMs: NOW,
    });

    // One of two at once ends the run.
    const now = Date.now();
    const find = world.store.runs.find;
    const runs = { ...world.store.runs, find: vi.fn(find) };
    const asRead = await find(run.dataset_id, run.run_id);
    await cancelTraining(portsOf(world), training, now);
    runs.find.mockImplementationOnce(async () => asRead);
    await cancelTraining({ ...portsOf(world), runs }, training, now + 1);

    expect(await world.store.unbilled.used(owner.team_id, now)).toBe(unbilled);
  });

  test('one that goes on ends, is not billed, and delivers nothing afterwards', async () => {
    const { training, run } = await augmentedTraining(false);

    await cancel(training.experiment_id);

    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ available: 100, held: 0 });
    const ended = await world.store.runs.find(run.dataset_id, run.run_id);
    expect(ended).toMatchObject({ status: 'failed', error_data: { code: 'run_cancelled' } });
    await expect(deliver(run)).rejects.toMatchObject({ code: 'run_interrupted' });
    expect(await world.store.datasets.find(run.dataset_id)).toMatchObject({
      state: 'failed',
      manifest_key: null,
    });
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });

  test('a training whose rows are being added is cancelled as often in an hour as the plan allows', async () => {
    const limited = { ...owner, plan: { ...owner.plan, cancellations_per_hour: 1 } };
    for (const hasEnded of [false, true]) {
      const { training } = await augmentedTraining(hasEnded);
      expect((await cancel(training.experiment_id, limited)).status).toBe(200);
    }

    const third = await augmentedTraining(false);
    expect((await cancel(third.training.experiment_id, limited)).problem.code).toBe('rate_limited');
    expect(await world.store.runs.find(third.run.dataset_id, third.run.run_id)).toMatchObject({
      status: 'running',
    });
  });

  test('rows that one has delivered before its end are billed', async () => {
    const { training, run } = await augmentedTraining(false);
    await deliver(run);

    await cancel(training.experiment_id);

    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({
      available: 80,
      settled: 20,
      held: 0,
    });
    expect((await world.store.runs.find(run.dataset_id, run.run_id))?.counts).toEqual(counts);
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });

  test('one that starts while the training is being cancelled ends too', async () => {
    const { training, run } = await augmentedTraining(false);
    const { trainings } = world.store;
    const asRead = { ...training, augmented: null };

    await cancelTraining({ ...portsOf(world), trainings }, asRead, NOW);

    expect((await world.store.runs.find(run.dataset_id, run.run_id))?.status).toBe('failed');
    await expect(deliver(run)).rejects.toMatchObject({ code: 'run_interrupted' });
  });

  /** What the augmentation's last step does before its run ends. */
  async function deliver(run: RunRecord): Promise<void> {
    const { datasets } = world.store;
    const report = { rows: counts, tokens: { input: 0, output: 0, calls: 0 }, reported_rows: [], stages: [] };
    await world.objects.write(objectKeys.report(run.run_id), JSON.stringify(report), 'application/json');
    await deliverRows(
      { datasets, objects: world.objects },
      { run_id: run.run_id, dataset_id: run.dataset_id, team_id: run.team_id },
      {
        columns: [],
        mapping: { prompt: 'prompt', completion: 'completion', context: [] },
        kept: [],
        keptRows: 0,
        made: { row_count: counts.expanded, chunks: [] },
      },
      NOW,
    );
  }
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/metrics.ts';
import { readDefinition } from '#infra/definitions.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { assembleIteration } from '#shared/training/compare-iteration.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { ATTEMPTS_MAX } from '#shared/training/decide/trainer-settings.ts';
import type { TrainerReport, TrainingJob } from '#shared/training/schema/training-job.ts';
import { ANSWER_CHARACTERS_MAX } from '#shared/training/schema/training-metrics.ts';
import { deliverIteration, queueIteration } from '#test/helpers/iterating.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const HELD_OUT = 20;

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let training: TrainingRecord;
let context: RunContext;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  dataset = await seedTrainable(world, owner);
  training = await launchTraining(world, dataset, {
    recommended: [{ method: 'sft', hyperparams: { n_epochs: 2, batch_size: 'max', learning_rate: 0.001 } }],
  });
  context = { run_id: training.experiment_id, dataset_id: dataset.dataset_id, team_id: dataset.team_id };
});

const get = (as = owner, experiment_id = training.experiment_id) =>
  world.call(handler, { as, params: { experiment_id } });
const iterationsNow = async () => (await get()).body.iterations;
const lastIteration = async () => (await iterationsNow()).at(-1);

const stageOf = (
  changes: Partial<TrainerReport['stages'][number]> = {},
): TrainerReport['stages'][number] => ({
  method: 'sft',
  steps: 2,
  steps_planned: 2,
  seconds: 4.5,
  train_loss: [
    { step: 1, loss: 3, learning_rate: 0.001 },
    { step: 2, loss: 2, learning_rate: 0 },
  ],
  held_out_loss: [
    { step: 0, loss: 3.1 },
    { step: 1, loss: 2.6 },
    { step: 2, loss: 2.1 },
  ],
  ...changes,
});

const conclude = (job: TrainingJob, error: ErrorData | null = null) =>
  assembleIteration(
    { ...world.store, objects: world.objects, judgeId: null },
    { ...context, iteration: job.iteration, attempt: job.attempt },
    error,
  );

/** An iteration that won on so many of the rows that are held out. */
async function iterate(wins: number, changes: Partial<TrainerReport> = {}): Promise<void> {
  const job = await queueIteration(world, context);
  await deliverIteration(world, job, wins, { stages: [stageOf()], ...changes });
  await conclude(job);
}

const leaveCurve = (job: TrainingJob, stages: unknown): Promise<unknown> =>
  world.objects.write(`${job.output_prefix}curve.json`, JSON.stringify({ version: 1, stages }), 'x');

/** What the table says of the attempt of a trainer. */
function attemptIs(attempt: object | null) {
  return {
    trainings: { ...world.store.trainings, findAttempt: async () => attempt as never },
  };
}

test('a training that was just asked for has no iterations', async () => {
  expect((await get()).body).toEqual({
    experiment_id: training.experiment_id,
    status: 'pending',
    model: training.model,
    target_win_rate: 0.7,
    max_iterations: 3,
    best_iteration: null,
    iterations: [],
  });
});

test('a training tells its best iteration, which may not be the last', async () => {
  await iterate(8);
  await iterate(4);

  expect((await get()).body).toMatchObject({ status: 'running', best_iteration: 1 });
});

test('a training of another team is not there', async () => {
  const foreign = await get(strangerTo(owner));
  const missing = await get(owner, randomUUID());

  expect(foreign.problem).toMatchObject({ statusCode: 404, code: 'training_not_found' });
  expect(foreign.problem.message).toBe(missing.problem.message);
});

test('an iteration that has ended has its curves, its win rate with interval and measure, and the reason of its hyperparameters', async () => {
  await iterate(13);

  const [first] = await iterationsNow();

  expect(first).toMatchObject({
    iteration: 1,
    status: 'completed',
    phase: null,
    reason: null,
    hyperparams: { n_epochs: 2 },
    changes: [],
    why: 'The recommended values for this model and number of rows.',
    win_rate: {
      value: 0.65,
      interval95: [0.4329, 0.8188],
      measure: 'likelihood',
      judge: null,
      rows: HELD_OUT,
      wins: 13,
      losses: 7,
      ties: 0,
      is_indicative: false,
    },
    likelihood_reason: 'The installation has no judge.',
  });
  expect(first?.stages).toEqual([
    {
      method: 'sft',
      steps: 2,
      steps_planned: 2,
      seconds: 4.5,
      training_loss: stageOf().train_loss,
      held_out_loss: stageOf().held_out_loss,
    },
  ]);
});

test('an iteration that has ended says what was changed since the one before, and why', async () => {
  await iterate(8);
  await iterate(9);

  const [first, second] = await iterationsNow();

  expect(second?.why).toBe(
    'Iteration 1: the loss on held-out rows was still falling (underfitting). Next: more epochs and a higher learning rate.',
  );
  const names = second?.changes.map(({ name }) => name);
  expect(names).toEqual(['n_epochs', 'learning_rate']);
  const [epochs, rate] = second?.changes ?? [];
  expect([epochs?.from, epochs?.to]).toEqual([2, 3]);
  expect([first?.hyperparams.n_epochs, second?.hyperparams.n_epochs]).toEqual([2, 3]);
  expect(Number(rate?.to)).toBeGreaterThan(Number(rate?.from));
  expect(rate?.to).toBe(second?.hyperparams.learning_rate);
});

test('an iteration that has ended that is tried again after a failure of the trainer changes nothing', async () => {
  const job = await queueIteration(world, context);
  await conclude(job, { code: 'trainer_lost', message: 'The trainer was lost.', level: 'error' });
  await iterate(8);

  const [first, second] = await iterationsNow();

  expect(first).toMatchObject({
    status: 'failed',
    reason: 'The trainer was lost.',
    stages: [],
    win_rate: null,
    likelihood_reason: null,
    answers: [],
  });
  expect(second?.changes).toEqual([]);
  expect(second?.why).toContain('they are tried again');
});

test('an iteration that has ended that diverged shows its curve up to there', async () => {
  await iterate(0, {
    outcome: 'diverged',
    reason: 'The loss of sft is not finite at step 2.',
    stages: [stageOf({ steps: 1, train_loss: [{ step: 1, loss: 9, learning_rate: 0.01 }] })],
  });

  expect(await lastIteration()).toMatchObject({
    status: 'diverged',
    reason: 'The loss of sft is not finite at step 2.',
    stages: [{ steps: 1, training_loss: [{ step: 1, loss: 9, learning_rate: 0.01 }] }],
  });
});

test('an iteration that has ended of an older trainer has no learning rates, and of a report without a curve an empty one', async () => {
  await iterate(8, {
    stages: [
      { method: 'sft', steps: 1, seconds: 1, train_loss: [{ step: 1, loss: 3 }], held_out_loss: [] },
      { method: 'dpo', steps: 0, seconds: 0, train_loss: [], held_out_loss: [] },
    ],
  });

  expect((await lastIteration())?.stages).toEqual([
    {
      method: 'sft',
      steps: 1,
      steps_planned: null,
      seconds: 1,
      training_loss: [{ step: 1, loss: 3, learning_rate: null }],
      held_out_loss: [],
    },
    { method: 'dpo', steps: 0, steps_planned: null, seconds: 0, training_loss: [], held_out_loss: [] },
  ]);
});

test('an iteration that has ended of a trainer that leaves every step shows five hundred, the first and the last among them', async () => {
  const every = Array.from({ length: 4000 }, (_, n) => ({ step: n + 1, loss: 1, learning_rate: 0.1 }));
  await iterate(8, { stages: [stageOf({ steps: 4000, train_loss: every })] });

  const shown = (await lastIteration())?.stages[0]?.training_loss ?? [];

  expect([shown.length, shown[0]?.step, shown.at(-1)?.step]).toEqual([500, 1, 4000]);
});

test('the answers of an iteration stand side by side, with the verdict on each row', async () => {
  await iterate(1);

  const answers = (await lastIteration())?.answers ?? [];

  expect(answers).toHaveLength(HELD_OUT);
  const [won, lost] = answers;
  expect(won).toEqual({
    row: won?.row,
    prompt: { text: `q${won?.row}`, truncated: false },
    reference: { text: `a${won?.row}`, truncated: false },
    base: { text: `plain ${won?.row}`, truncated: false },
    trained: { text: `better ${won?.row}`, truncated: false },
    verdict: 'win',
  });
  expect(lost).toMatchObject({ trained: { text: `worse ${lost?.row}` }, verdict: 'loss' });
});

test('the answers of an iteration are of twenty rows at most, spread over all, the same in every iteration', async () => {
  dataset = await seedTrainable(world, owner, 600);
  training = await launchTraining(world, dataset, { source_rows: 600 });
  context = { ...context, run_id: training.experiment_id, dataset_id: dataset.dataset_id };
  await iterate(8);
  await iterate(9);

  const [first, second] = (await iterationsNow()).map(({ answers }) => answers.map(({ row }) => row));

  expect(first).toHaveLength(20);
  expect(first).toEqual(second);
  expect(new Set(first).size).toBe(20);
  const held = world.objects
    .text(objectKeys.heldOutRows(training.experiment_id))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).row as number);
  expect(held).toHaveLength(60);
  expect(first).toEqual(held.filter((_, index) => index % 3 === 0));
});

test('the answers of an iteration that are long are cut, and say so, and no character is cut in two', async () => {
  const job = await queueIteration(world, context);
  const text = `${'x'.repeat(ANSWER_CHARACTERS_MAX - 1)}😀 and more`;
  await deliverIteration(world, job, 8, {}, () => ({
    base: text,
    tuned: 'y'.repeat(ANSWER_CHARACTERS_MAX),
  }));
  await conclude(job);

  expect((await lastIteration())?.answers[0]).toMatchObject({
    base: { text: 'x'.repeat(ANSWER_CHARACTERS_MAX - 1), truncated: true },
    trained: { text: 'y'.repeat(ANSWER_CHARACTERS_MAX), truncated: false },
  });
});

test('the answers of an iteration of a training that is older than they are, are none', async () => {
  await iterate(8);
  await world.objects.remove([objectKeys.iterationAnswers(training.experiment_id, 1)]);

  expect(await lastIteration()).toMatchObject({ status: 'completed', answers: [] });
});

test('an iteration that is running waits for a trainer, and shows its hyperparameters already', async () => {
  await iterate(8);
  await queueIteration(world, context);

  expect(await lastIteration()).toMatchObject({
    iteration: 2,
    status: 'running',
    phase: 'waiting',
    reason: null,
    changes: [{ name: 'n_epochs' }, { name: 'learning_rate' }],
    stages: [],
    win_rate: null,
    answers: [],
  });
});

test('an iteration that is running shows the points so far', async () => {
  const job = await queueIteration(world, context);
  await leaveCurve(job, [
    stageOf({ steps: 1, steps_planned: 40, train_loss: [{ step: 1, loss: 3, learning_rate: 1 }] }),
  ]);

  expect((await lastIteration())?.stages).toMatchObject([
    { steps: 1, steps_planned: 40, training_loss: [{ step: 1, loss: 3, learning_rate: 1 }] },
  ]);
});

test('an iteration that is running shows those of an earlier attempt until the next one has its own', async () => {
  const first = await queueIteration(world, context);
  await leaveCurve(first, [stageOf({ steps: 1 })]);
  const second = await queueIteration(world, context, { attempt: 2 });

  expect((await lastIteration())?.stages).toMatchObject([{ steps: 1 }]);

  await leaveCurve(second, [stageOf({ steps: 2 })]);

  expect((await lastIteration())?.stages).toMatchObject([{ steps: 2 }]);
});

test.each([
  ['that is no JSON', '{"version": 1'],
  ['of another form', '{"version": 1, "stages": [{"method": "sft"}]}'],
  ['of more than a megabyte', `{"version": 1, "stages": [], "rest": "${'x'.repeat(1_000_000)}"}`],
])('an iteration that is running has no curve of a file %s', async (_, body) => {
  const job = await queueIteration(world, context);
  await world.objects.write(`${job.output_prefix}curve.json`, body, 'x');

  expect(await lastIteration()).toMatchObject({ status: 'running', stages: [] });
});

test('an iteration that is running has the curve of a file of a megabyte', async () => {
  const job = await queueIteration(world, context);
  const body = JSON.stringify({ version: 1, stages: [stageOf()] }).padEnd(1_000_000);
  await world.objects.write(`${job.output_prefix}curve.json`, body, 'x');

  expect((await lastIteration())?.stages).toHaveLength(1);
});

test.each([
  ['starts', { state: 'claimed' }, 'starting'],
  ['trains', { state: 'claimed', phase: 'training' }, 'training'],
  ['is being compared', { state: 'ended', phase: 'packing' }, 'comparing'],
  ['waits for another attempt', { state: 'revoked', phase: 'training' }, 'waiting'],
])('%s as its attempt says', async (_, attempt, phase) => {
  await queueIteration(world, context);

  const { body } = await world.call(
    handler,
    { as: owner, params: { experiment_id: training.experiment_id } },
    attemptIs(attempt),
  );

  expect(body.iterations.at(-1)?.phase).toBe(phase);
});

describe('an iteration that the training ended before', () => {
  const end = (error: ErrorData) => world.endRun({ ...context, error, billedCredits: 0, now: NOW });

  test.each([
    ['cancelled', 'run_cancelled', 'The training was cancelled.'],
    ['failed', 'run_timed_out', 'It took too long.'],
  ])(
    'an iteration that the training ended before of a training that was %s is stopped, with its curve',
    async (status, code, reason) => {
      const job = await queueIteration(world, context);
      await leaveCurve(job, [stageOf({ steps: 1 })]);
      await end({ code, message: 'It took too long.', level: 'error' });

      expect((await get()).body.status).toBe(status);
      expect(await lastIteration()).toMatchObject({
        status: 'stopped',
        phase: null,
        reason,
        stages: [{ steps: 1 }],
      });
    },
  );

  test('an iteration that the training ended before is found by as many attempts as the state machine makes', () => {
    const definition = JSON.stringify(readDefinition('train'));
    const [, ofTrainers] = /\$attempt - \$waits < (\d+) %/.exec(definition) ?? [];
    const [, waits] = /\$waits < (\d+) %}","Next":"Wait For Capacity"/.exec(definition) ?? [];

    expect(ATTEMPTS_MAX).toBe(Number(ofTrainers) + Number(waits));
  });
});

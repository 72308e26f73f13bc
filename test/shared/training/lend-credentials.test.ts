import { beforeEach, expect, test, vi } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { attemptPolicy } from '#shared/training/decide/attempt-policy.ts';
import { attemptSecret } from '#shared/training/decide/attempt-secret.ts';
import { lendCredentials } from '#shared/training/lend-credentials.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { proposeHyperparams } from '#shared/training/propose-hyperparams.ts';
import { queueAttempt } from '#shared/training/queue-attempt.ts';
import { type TrainerMessage, TrainingJob } from '#shared/training/schema/training-job.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { isAllowedBy, type Statement } from '#test/helpers/session-policy.ts';
import { launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const LENT = {
  access_key_id: 'id',
  secret_access_key: 'key',
  session_token: 'token',
  expires_at: '2026-03-01T13:00:00.000Z',
};
const lender = { lend: vi.fn(async () => LENT) };

let world: World;
let dataset: DatasetRecord;
let context: RunContext;
let messages: TrainerMessage[];

beforeEach(async () => {
  world = createWorld();
  dataset = await seedTrainable(world, await seedTeam(world.store, 100));
  context = await begin(dataset);
  messages = [];
  lender.lend.mockClear();
});

const ports = () => ({ ...world.store, objects: world.objects });

async function begin(of: DatasetRecord): Promise<RunContext> {
  const { experiment_id: run_id, dataset_id, team_id } = await launchTraining(world, of);
  return { run_id, dataset_id, team_id };
}

/** Queues an attempt at the first iteration; returns the message that its trainer gets. */
async function queueFor(of: RunContext, attempt = 1): Promise<TrainerMessage> {
  await prepareTraining(ports(), of);
  await proposeHyperparams(ports(), of);
  await queueAttempt(
    {
      ...ports(),
      queue: { send: async (_, message) => void messages.push(message) },
      tokens: { fail: async () => true },
      bucket: 'bucket',
      lender: 'lender',
    },
    { ...of, iteration: 1, attempt, task_token: `token of ${of.run_id} ${attempt}` },
    NOW,
  );
  const sent = messages.at(-1);
  if (sent === undefined) throw new Error('Nothing was queued.');
  return sent;
}

const idOf = (of: RunContext, attempt = 1) => ({ experiment_id: of.run_id, iteration: 1, attempt });
const lend = (message: Pick<TrainerMessage, 'job_key' | 'secret'>) =>
  lendCredentials({ ...ports(), lender }, message);

test('credentials are lent to whoever shows the secret of an attempt, as often as it is shown', async () => {
  const message = await queueFor(context);

  expect(await lend(message)).toEqual(LENT);
  expect(await lend(message)).toEqual(LENT);

  expect(lender.lend.mock.calls).toEqual([[idOf(context)], [idOf(context)]]);
});

test('credentials are lent again while the attempt is claimed', async () => {
  const message = await queueFor(context);
  const claimed = async () => ({
    state: 'claimed' as const,
    job_key: message.job_key,
    queued_at: '2026-03-01T12:00:00.000Z',
  });
  const trainings = { ...world.store.trainings, findAttempt: claimed };

  expect(await lendCredentials({ ...ports(), trainings, lender }, message)).toEqual(LENT);
});

test('credentials are lent to either trainer where a message comes twice', async () => {
  const first = await queueFor(context);
  const again = await queueFor(context);

  expect(again).toEqual(first);
  expect(await lend(first)).toEqual(LENT);
});

test.each([
  ['no secret', () => ''],
  ['another secret', () => attemptSecret('token of another')],
  ['a secret that is longer', (own: string) => `${own}0`],
  ['letters that are no ASCII', (own: string) => 'é'.repeat(own.length / 2)],
])('credentials are not lent for %s', async (_, secretOf) => {
  const message = await queueFor(context);

  expect(await lend({ ...message, secret: secretOf(message.secret) })).toBeNull();
  expect(lender.lend).not.toHaveBeenCalled();
});

test('credentials are not lent for the secret of another attempt or training', async () => {
  const first = await queueFor(context);
  const second = await queueFor(context, 2);
  const otherContext = await begin(await seedTrainable(world, await seedTeam(world.store, 100)));
  const other = await queueFor(otherContext);

  for (const secret of [first.secret, other.secret]) {
    expect(await lend({ job_key: second.job_key, secret })).toBeNull();
  }
  expect(await lend(second)).toEqual(LENT);
});

test.each([
  ['no job', 'trainings/x/data/manifest.json'],
  ['a job that nobody queued', 'trainings/x/iterations/1/attempts/1/job.json'],
])('credentials are not lent for %s', async (_, job_key) => {
  expect(await lend({ job_key, secret: attemptSecret('token') })).toBeNull();
});

test('credentials are not lent for an attempt that has ended, whatever its item is made to say', async () => {
  const message = await queueFor(context);
  const trainings = world.store.trainings;
  await trainings.revokeAttempt(idOf(context));
  expect(await lend(message)).toBeNull();

  await queueFor(context, 2);
  const claimed = {
    ...trainings,
    findAttempt: async () => ({
      state: 'claimed' as const,
      job_key: message.job_key,
      queued_at: '2026-03-01T12:00:00.000Z',
    }),
  };
  expect(await lendCredentials({ ...ports(), trainings: claimed, lender }, message)).toBeNull();
  expect(lender.lend).not.toHaveBeenCalled();
});

test('credentials are not lent once the training has ended', async () => {
  const message = await queueFor(context);
  await world.endRun({ ...context, error: null, billedCredits: 0, now: NOW });

  expect(await lend(message)).toBeNull();
});

test('the credentials of an attempt open every object that its job names', async () => {
  await queueFor(context);
  await queueFor(context, 2);
  const { job_key } = await queueFor(context, 3);
  const job = TrainingJob.parse(JSON.parse(world.objects.text(job_key)));
  const { Statement: statements } = JSON.parse(
    attemptPolicy(idOf(context, 3), {
      bucketArn: 'arn:aws:s3:::bucket',
      itemPartition: job.attempt_item.pk,
    }),
  ) as { Statement: Statement[] };
  const may = (verb: string, key: string): boolean =>
    isAllowedBy(statements, { action: `s3:${verb}`, resource: `arn:aws:s3:::bucket/${key}` });

  const read = [
    job_key,
    ...job.data.train_keys,
    job.data.held_out_key,
    ...job.resume_prefixes.map((prefix) => `${prefix}checkpoints/latest.json`),
  ];
  expect(job.resume_prefixes).toHaveLength(2);
  expect(read.filter((key) => !may('GetObject', key))).toEqual([]);
  expect(may('PutObject', `${job.output_prefix}report.json`)).toBe(true);
  expect(may('GetObject', objectKeys.trainingData(context.run_id))).toBe(true);
});

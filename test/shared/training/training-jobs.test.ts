import { describe, expect, test } from 'vitest';
import { followTrainingJob, stopTrainingJobs } from '#shared/training/follow-training-job.ts';
import { launchTrainingJob } from '#shared/training/launch-training-job.ts';
import type { TrainingJobState } from '#shared/training/schema/training-job.ts';
import { watchTrainers } from '#shared/training/watch-trainers.ts';
import { makeCaller, makeDataset, makeRun, NOW } from '#test/helpers/records.ts';
import { makeTraining } from '#test/helpers/training.ts';
import { aroundTrainingJob, TOKEN } from '#test/helpers/training-jobs.ts';

const id = { experiment_id: 'e', iteration: 2, attempt: 2 };
const HOUR = 3_600_000;

test('a job in the trainer’s queue is launched once it is nobody’s, and the job of the attempt before it is stopped', async () => {
  const around = await aroundTrainingJob(id, 'queued');

  expect(await launchTrainingJob(around, around.message)).toEqual({ ...id, outcome: 'launched' });

  expect(around.jobs.launch).toHaveBeenCalledExactlyOnceWith(id, around.message);
  expect(around.jobs.stop).toHaveBeenCalledExactlyOnceWith({ ...id, attempt: 1 });
  expect(around.tokens.fail).not.toHaveBeenCalled();
});

test.each(['claimed', 'ended', 'revoked', null] as const)(
  'a job in the trainer’s queue is left where it is %s',
  async (state) => {
    const around = await aroundTrainingJob(id, state);

    expect(await launchTrainingJob(around, around.message)).toMatchObject({ outcome: 'left' });
    expect(around.jobs.launch).not.toHaveBeenCalled();
  },
);

test('a job in the trainer’s queue waits while the quota is used up', async () => {
  const around = await aroundTrainingJob(id, 'queued', { outcome: 'no_room' });

  expect(await launchTrainingJob(around, around.message)).toMatchObject({ outcome: 'waits' });
  expect(around.attempt()?.state).toBe('queued');
  expect(around.tokens.fail).not.toHaveBeenCalled();
});

test('a job in the trainer’s queue that SageMaker refuses ends the attempt for good, and its words go to the log alone', async () => {
  const around = await aroundTrainingJob(id, 'queued', { outcome: 'refused', reason: 'no such type' });

  expect(await launchTrainingJob(around, around.message)).toMatchObject({
    outcome: 'refused',
    reason: 'no such type',
  });
  expect(around.attempt()?.state).toBe('revoked');
  expect(around.tokens.fail).toHaveBeenCalledExactlyOnceWith(
    TOKEN,
    'trainer_refused',
    expect.not.stringContaining('no such type'),
  );
});

describe('what SageMaker says of a job', () => {
  const stateOf = (status: string, secondary: string, reason?: string): TrainingJobState => ({
    TrainingJobName: 'tunesmith-dev-e-2-2',
    TrainingJobStatus: status,
    SecondaryStatus: secondary,
    FailureReason: reason,
    HyperParameters: { job_key: JSON.stringify('trainings/e/iterations/2/attempts/2/job.json') },
  });

  test.each([
    ['Starting', 'queued', 6 * HOUR],
    ['Interrupted', 'claimed', 6 * HOUR],
    ['Training', 'claimed', HOUR / 4],
  ] as const)('%s excuses an attempt that is %s for as long as that may take', async (state, attempt, ms) => {
    const around = await aroundTrainingJob(id, attempt);

    expect(await followTrainingJob(around, stateOf('InProgress', state), NOW)).toBe('excused');
    expect(around.attempt()?.waits_until).toBe(new Date(NOW + ms).toISOString());
    expect(around.jobs.stop).not.toHaveBeenCalled();
  });

  test.each(['revoked', null] as const)(
    'what SageMaker says of a job stops a job on its way whose attempt is %s',
    async (attempt) => {
      const around = await aroundTrainingJob(id, attempt);

      expect(await followTrainingJob(around, stateOf('InProgress', 'Starting'), NOW)).toBe('stopped');
      expect(around.jobs.stop).toHaveBeenCalledExactlyOnceWith(id);
    },
  );

  test.each([
    ['Failed', 'Failed', 'InternalServerError: try again', 'InternalServerError'],
    ['Failed', 'Failed', 'AlgorithmError: ExecuteUserScriptError: a row', 'AlgorithmError'],
    ['Stopped', 'MaxRuntimeExceeded', undefined, 'MaxRuntimeExceeded'],
  ])('%s (%s) fails an attempt that has not reported, without the trainer’s output', async (...said) => {
    const [status, secondary, reason, kind] = said;
    for (const attempt of ['queued', 'claimed'] as const) {
      const around = await aroundTrainingJob(id, attempt);

      expect(await followTrainingJob(around, stateOf(status, secondary, reason), NOW)).toBe('failed');

      expect(around.attempt()?.state).toBe('revoked');
      expect(around.tokens.fail).toHaveBeenCalledExactlyOnceWith(
        TOKEN,
        'trainer_failed',
        `SageMaker ended the training job tunesmith-dev-e-2-2 before its trainer reported (${kind}).`,
      );
    }
  });

  const NO_INSTANCE = 'CapacityError: Unable to provision requested ML compute capacity.';

  test('a job for which AWS has no instance fails its attempt so that the next one waits', async () => {
    const around = await aroundTrainingJob(id, 'queued');

    expect(await followTrainingJob(around, stateOf('Failed', 'Failed', NO_INSTANCE), NOW)).toBe('failed');
    expect(around.attempt()?.state).toBe('revoked');
    expect(around.tokens.fail).toHaveBeenCalledExactlyOnceWith(
      TOKEN,
      'trainer_lacks_capacity',
      expect.stringMatching(/^AWS has no instance/),
    );
  });

  test('a trainer that has run is believed nothing that it says of capacity', async () => {
    const around = await aroundTrainingJob(id, 'claimed');

    await followTrainingJob(around, stateOf('Failed', 'Failed', `AlgorithmError: ${NO_INSTANCE}`), NOW);

    expect(around.tokens.fail).toHaveBeenCalledExactlyOnceWith(TOKEN, 'trainer_failed', expect.anything());
  });

  test.each([
    ['Failed', 'Failed', 'ended'],
    ['Stopped', 'Stopped', 'revoked'],
    ['Failed', 'Failed', null],
    ['Completed', 'Completed', 'ended'],
    ['InProgress', 'Uploading', 'ended'],
  ] as const)('%s (%s) changes nothing where the attempt is %s', async (status, secondary, attempt) => {
    const around = await aroundTrainingJob(id, attempt);

    expect(await followTrainingJob(around, stateOf(status, secondary), NOW)).toBe('ignored');
    expect(around.tokens.fail).not.toHaveBeenCalled();
    expect(around.jobs.stop).not.toHaveBeenCalled();
  });

  test('what SageMaker says of a job is ignored where the job is none of an attempt', async () => {
    const around = await aroundTrainingJob(id, 'claimed');
    const foreign = { ...stateOf('Failed', 'Failed'), HyperParameters: { job_key: '"elsewhere"' } };

    expect(await followTrainingJob(around, foreign, NOW)).toBe('ignored');
    expect(around.attempt()?.state).toBe('claimed');
  });
});

const dataset = makeDataset(makeCaller({ team_id: 't' }), { dataset_id: 'd' });

test('a training that is ended from outside has the jobs of its iteration stopped', async () => {
  const around = await aroundTrainingJob(id, 'revoked');
  const training = makeTraining(dataset, { experiment_id: 'e', iterations_completed: 1 });
  const trainings = {
    find: async () => training,
    findAttempt: async ({ attempt }: typeof id) => (attempt > 2 ? null : around.attempt()),
  };
  const input = JSON.stringify({ run_id: 'e', dataset_id: 'd', team_id: 't' });

  expect(await stopTrainingJobs({ ...around, trainings }, input)).toEqual({ stopped: 2 });

  expect(around.jobs.stop.mock.calls).toEqual([[{ ...id, attempt: 1 }], [{ ...id, attempt: 2 }]]);
  const missing = { ...trainings, find: async () => null };
  expect(await stopTrainingJobs({ ...around, trainings: missing }, input)).toEqual({ stopped: 0 });
});

test('a silent trainer that SageMaker has interrupted is given up only after its time is over', async () => {
  const around = await aroundTrainingJob(id, 'claimed');
  const training = makeTraining(dataset, {
    experiment_id: 'e',
    attempt: { iteration: 2, attempt: 2, queued_at: new Date(NOW - HOUR).toISOString() },
  });
  const ports = {
    ...around,
    trainings: { ...around.trainings, find: async () => training },
    runs: {
      listActive: async () => ({
        runs: [makeRun(dataset, { run_id: 'e', pipeline: 'train' as const })],
        next: null,
      }),
    },
  };
  await around.trainings.excuseAttempt(id, new Date(NOW + HOUR).toISOString());

  expect(await watchTrainers(ports, NOW)).toEqual({ examined: 1, givenUp: [], failures: [] });
  expect(await watchTrainers(ports, NOW + HOUR + 1000)).toMatchObject({
    givenUp: [{ ...id, error: 'trainer_lost' }],
    failures: [],
  });
});

import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { LendCredentialsInput, LendCredentialsReply, TrainingJobState } from './schema/training-job.ts';

/** Queues the trainer attempts that state machines wait for. */
export const queueAttempt = background({
  id: 'consumers/queue-attempt',
  trigger: { kind: 'queue', queue: 'attempts' },
  ...task({
    input: z.looseObject({ Records: z.array(z.looseObject({ body: z.string() })).length(1) }),
    output: z.object({ is_queued: z.boolean() }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/**
 * Lends a trainer credentials for its attempt; trainers invoke it. It is only invoked synchronously, because Lambda
 * stores the input of asynchronous invocations, and its input contains the attempt's secret.
 */
export const lendCredentials = background({
  id: 'tasks/attempts/lend-credentials',
  trigger: { kind: 'invoke' },
  ...task({
    input: LendCredentialsInput,
    output: LendCredentialsReply,
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/**
 * Every minute: gives up the attempts of trainers that are silent, removes what others wrote after their end, and starts the
 * work on deployments for which something is due.
 */
export const watchTrainers = background({
  id: 'consumers/watch-trainers',
  trigger: { kind: 'schedule', everyMinutes: 1 },
  ...task({
    input: z.looseObject({}),
    output: z.object({ examined: z.int(), given_up: z.int(), cleared: z.int(), deployments: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 60,
  }),
});

/** Launches a SageMaker training job for each job of the GPU trainer. */
export const launchTrainingJob = background({
  id: 'consumers/launch-training-job',
  trigger: { kind: 'trainer-queue', trainer: 'gpu' },
  ...task({
    input: z.looseObject({
      Records: z.array(z.looseObject({ messageId: z.string(), body: z.string() })).length(1),
    }),
    output: z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/** Follows the state changes of SageMaker training jobs. */
export const followTrainingJob = background({
  id: 'consumers/follow-training-job',
  trigger: { kind: 'training-jobs' },
  ...task({
    input: z.looseObject({ detail: TrainingJobState }),
    output: z.object({ outcome: z.string() }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/** Stops the SageMaker jobs of trainings that were ended from outside. */
export const stopTrainingJobs = background({
  id: 'consumers/stop-training-jobs',
  trigger: { kind: 'ended-executions', pipelines: ['train'] },
  ...task({
    input: z.looseObject({ detail: z.looseObject({ input: z.string() }) }),
    output: z.object({ stopped: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

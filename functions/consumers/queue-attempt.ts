import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { QueueAttemptInput } from '#shared/runs/schema/run-context.ts';
import { queueAttempt as contract } from '#shared/training/background.ts';
import { queueAttempt } from '#shared/training/queue-attempt.ts';
import { taskTokens, trainerQueue, trainings } from '#shared/training/wire.ts';

/** Handles the message of a state machine that waits for the attempt. */
export const handler = runTask(
  contract,
  {
    ...trainerQueue,
    trainings: trainings('write'),
    objects: objects({ read: ['trainings'], write: ['trainings'] }),
    tokens: taskTokens,
  },
  ({ Records }, ports, { now }) =>
    queueAttempt(ports, QueueAttemptInput.parse(JSON.parse(Records[0]?.body ?? '')), now),
);

import { train } from '#shared/pipelines/train.ts';
import { queueAttempt } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['queue-attempt'],
  { queueAttempt },
  (input, { queueAttempt }, { now }) => queueAttempt(input, now),
);

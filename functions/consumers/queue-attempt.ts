import { runTask } from '#shared/platform/runtime/task.ts';
import { queueAttempt as contract } from '#shared/training/background.ts';
import { queueAttempt } from '#shared/training/wire/train.ts';

export const handler = runTask(contract, { queueAttempt }, ({ Records }, { queueAttempt }, { now }) =>
  queueAttempt(Records[0]?.body ?? '', now),
);

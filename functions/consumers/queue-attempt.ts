import { queueAttempt as contract } from '#shared/pipelines/background.ts';
import { queueAttempt } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(contract, { queueAttempt }, ({ Records }, { queueAttempt }, { now }) =>
  queueAttempt(Records[0]?.body ?? '', now),
);

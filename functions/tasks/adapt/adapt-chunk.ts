import { adapt } from '#shared/pipelines/adapt.ts';
import { adaptChunk } from '#shared/runtime/deps/workers.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['adapt-chunk'],
  { adaptChunk },
  (plan, { adaptChunk }, { deadline, requestId }) =>
    adaptChunk(plan, { deadlineMs: deadline, attempt: requestId }),
);

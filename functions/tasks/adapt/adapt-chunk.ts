import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { adaptChunk } from '#shared/adaptation/wire/workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['adapt-chunk'],
  { adaptChunk },
  (plan, { adaptChunk }, { deadline, requestId }) =>
    adaptChunk(plan, { deadlineMs: deadline, attempt: requestId }),
);

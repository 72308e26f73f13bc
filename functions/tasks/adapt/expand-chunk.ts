import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { expandChunk } from '#shared/adaptation/wire/workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['expand-chunk'],
  { expandChunk },
  (plan, { expandChunk }, { deadline, requestId }) =>
    expandChunk(plan, { deadlineMs: deadline, attempt: requestId }),
);

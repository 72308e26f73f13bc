import { adapt } from '#shared/pipelines/adapt.ts';
import { expandChunk } from '#shared/runtime/deps/workers.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['expand-chunk'],
  { expandChunk },
  (plan, { expandChunk }, { deadline, requestId }) =>
    expandChunk(plan, { deadlineMs: deadline, attempt: requestId }),
);

import { adaptChunk } from '#shared/adaptation/wire/workers.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  pilot.tasks['adapt-chunk'],
  { adaptChunk },
  (plan, { adaptChunk }, { deadline, requestId }) =>
    adaptChunk(plan, { deadlineMs: deadline, attempt: requestId }),
);

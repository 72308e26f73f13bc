import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { collectCalls } from '#shared/adaptation/wire/workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['collect-calls'],
  { collectCalls },
  (plan, { collectCalls }, { deadline, requestId }) =>
    collectCalls(plan, { deadlineMs: deadline, attempt: requestId }),
);

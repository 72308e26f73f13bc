import { expand } from '#shared/growth/pipelines/expand.ts';
import { makeRows } from '#shared/growth/wire/expand.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  expand.tasks['make-rows'],
  { makeRows },
  (plan, { makeRows }, { deadline, requestId }) =>
    makeRows(plan, { deadlineMs: deadline, attempt: requestId }),
);

import { expand } from '#shared/pipelines/expand.ts';
import { makeRows } from '#shared/runtime/deps/expand.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  expand.tasks['make-rows'],
  { makeRows },
  (plan, { makeRows }, { deadline, requestId }) =>
    makeRows(plan, { deadlineMs: deadline, attempt: requestId }),
);

import { invent } from '#shared/pipelines/invent.ts';
import { makeRows } from '#shared/runtime/deps/expand.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  invent.tasks['translate-rows'],
  { makeRows },
  (plan, { makeRows }, { deadline, requestId }) =>
    makeRows(plan, { deadlineMs: deadline, attempt: requestId }),
);

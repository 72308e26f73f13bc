import { invent } from '#shared/pipelines/invent.ts';
import { translateRows } from '#shared/runtime/deps/expand.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  invent.tasks['translate-rows'],
  { translateRows },
  (plan, { translateRows }, { deadline, requestId }) =>
    translateRows(plan, { deadlineMs: deadline, attempt: requestId }),
);

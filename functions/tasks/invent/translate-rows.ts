import { invent } from '#shared/growth/pipelines/invent.ts';
import { translateRows } from '#shared/growth/wire/expand.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  invent.tasks['translate-rows'],
  { translateRows },
  (plan, { translateRows }, { deadline, requestId }) =>
    translateRows(plan, { deadlineMs: deadline, attempt: requestId }),
);

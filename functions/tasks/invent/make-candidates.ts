import { invent } from '#shared/growth/pipelines/invent.ts';
import { makeCandidates } from '#shared/growth/wire/invent.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  invent.tasks['make-candidates'],
  { makeCandidates },
  (plan, { makeCandidates }, { deadline, requestId }) =>
    makeCandidates(plan, { deadlineMs: deadline, attempt: requestId }),
);

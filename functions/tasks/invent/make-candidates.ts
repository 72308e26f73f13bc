import { invent } from '#shared/pipelines/invent.ts';
import { makeCandidates } from '#shared/runtime/deps/invent.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  invent.tasks['make-candidates'],
  { makeCandidates },
  (plan, { makeCandidates }, { deadline, requestId }) =>
    makeCandidates(plan, { deadlineMs: deadline, attempt: requestId }),
);

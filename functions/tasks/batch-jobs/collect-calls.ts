import { batchJobs } from '#shared/adaptation/pipelines/batch-jobs.ts';
import { collectCalls } from '#shared/adaptation/wire/workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  batchJobs.tasks['collect-calls'],
  { collectCalls },
  (plan, { collectCalls }, { deadline, requestId }) =>
    collectCalls(plan, { deadlineMs: deadline, attempt: requestId }),
);

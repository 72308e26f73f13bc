import { batchJobs } from '#shared/adaptation/pipelines/batch-jobs.ts';
import { advanceBatch } from '#shared/adaptation/wire/batch-jobs.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  batchJobs.tasks['advance-batch'],
  { advanceBatch },
  ({ collected, ...context }, { advanceBatch }, { deadline }) => advanceBatch(context, collected, deadline),
);

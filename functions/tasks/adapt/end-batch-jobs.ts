import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { cancelBatchJobs } from '#shared/adaptation/wire/batch-jobs.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['end-batch-jobs'],
  { cancelBatchJobs },
  ({ run_id }, { cancelBatchJobs }) => cancelBatchJobs(run_id),
);

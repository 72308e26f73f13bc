import { cancelBatchJobs } from '#shared/adaptation/wire/batch-jobs.ts';
import { cancelBatchJobs as contract } from '#shared/lifecycle/background.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { cancelBatchJobs }, ({ run_id }, { cancelBatchJobs }) =>
  cancelBatchJobs(run_id),
);

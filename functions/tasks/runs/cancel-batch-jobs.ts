import { batchJobsCanceller } from '#shared/adaptation/wire-workers.ts';
import { cancelBatchJobs as contract } from '#shared/lifecycle/background.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { cancel: batchJobsCanceller() }, (context, { cancel }) =>
  cancel(context),
);

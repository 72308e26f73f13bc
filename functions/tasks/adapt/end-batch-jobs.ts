import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { batchJobsCanceller } from '#shared/adaptation/wire-workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['end-batch-jobs'],
  { cancel: batchJobsCanceller() },
  (context, { cancel }) => cancel(context),
);

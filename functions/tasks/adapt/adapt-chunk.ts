import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { rowAdapter } from '#shared/adaptation/wire-workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['adapt-chunk'],
  { adaptRows: rowAdapter() },
  (plan, { adaptRows }, tools) => adaptRows(plan, tools),
);

import { rowAdapter } from '#shared/adaptation/wire-workers.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  pilot.tasks['adapt-chunk'],
  { adaptRows: rowAdapter() },
  (plan, { adaptRows }, tools) => adaptRows(plan, tools),
);

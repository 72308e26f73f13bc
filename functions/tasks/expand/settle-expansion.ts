import { expand } from '#shared/growth/pipelines/expand.ts';
import { endGrowthTask } from '#shared/growth/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  expand.tasks['settle-expansion'],
  { endGrowth: endGrowthTask() },
  (ended, { endGrowth }, tools) => endGrowth(ended, tools),
);

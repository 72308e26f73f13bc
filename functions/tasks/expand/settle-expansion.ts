import { expand } from '#shared/growth/pipelines/expand.ts';
import { growthEnder } from '#shared/growth/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  expand.tasks['settle-expansion'],
  { endGrowth: growthEnder() },
  (ended, { endGrowth }, tools) => endGrowth(ended, tools),
);

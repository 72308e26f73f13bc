import { invent } from '#shared/growth/pipelines/invent.ts';
import { endGrowthTask } from '#shared/growth/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  invent.tasks['settle-invention'],
  { endGrowth: endGrowthTask() },
  (ended, { endGrowth }, tools) => endGrowth(ended, tools),
);

import { invent } from '#shared/growth/pipelines/invent.ts';
import { growthEnder } from '#shared/growth/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  invent.tasks['settle-invention'],
  { endGrowth: growthEnder() },
  (ended, { endGrowth }, tools) => endGrowth(ended, tools),
);

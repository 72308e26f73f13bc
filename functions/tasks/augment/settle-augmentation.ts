import { augment } from '#shared/growth/pipelines/augment.ts';
import { endGrowthTask } from '#shared/growth/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  augment.tasks['settle-augmentation'],
  { endGrowth: endGrowthTask() },
  (ended, { endGrowth }, tools) => endGrowth(ended, tools),
);

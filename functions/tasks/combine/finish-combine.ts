import { combine } from '#shared/growth/pipelines/combine.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { endFreeRunTask } from '#shared/runs/wire.ts';

export const handler = runTask(
  combine.tasks['finish-combine'],
  { endFreeRun: endFreeRunTask() },
  (ended, { endFreeRun }, tools) => endFreeRun(ended, tools),
);

import { combine } from '#shared/growth/pipelines/combine.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { freeRunEnder } from '#shared/runs/wire.ts';

export const handler = runTask(
  combine.tasks['finish-combine'],
  { endFreeRun: freeRunEnder() },
  (ended, { endFreeRun }, tools) => endFreeRun(ended, tools),
);

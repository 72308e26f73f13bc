import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { endFreeRunTask } from '#shared/runs/wire.ts';

export const handler = runTask(
  ingest.tasks['finish-ingest'],
  { endFreeRun: endFreeRunTask() },
  (ended, { endFreeRun }, tools) => endFreeRun(ended, tools),
);

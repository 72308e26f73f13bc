import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { freeRunEnder } from '#shared/runs/wire.ts';

export const handler = runTask(
  ingest.tasks['finish-ingest'],
  { endFreeRun: freeRunEnder() },
  (ended, { endFreeRun }, tools) => endFreeRun(ended, tools),
);

import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { endFreeRunTask } from '#shared/runs/wire.ts';

export const handler = runTask(
  importFiles.tasks['finish-import'],
  { endFreeRun: endFreeRunTask() },
  (ended, { endFreeRun }, tools) => endFreeRun(ended, tools),
);

import { importFiles } from '#shared/pipelines/import.ts';
import { planImport } from '#shared/runtime/deps/plan-import.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(importFiles.tasks['plan-import'], { planImport }, (input, { planImport }) =>
  planImport(input),
);

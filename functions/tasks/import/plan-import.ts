import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { planImport } from '#shared/ingest/wire/plan-import.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(importFiles.tasks['plan-import'], { planImport }, (input, { planImport }) =>
  planImport(input),
);

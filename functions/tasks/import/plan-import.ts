import { datasets } from '#shared/datasets/wire.ts';
import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { planImport } from '#shared/ingest/plan-import.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  importFiles.tasks['plan-import'],
  { datasets: datasets('read'), objects: objects({ read: ['datasets'] }) },
  (input, ports) => planImport(ports, input),
);

import { datasets } from '#shared/datasets/wire.ts';
import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { planImport } from '#shared/ingest/plan-import.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  importFiles.tasks['plan-import'],
  {
    datasets: datasets('read'),
    runs: runs('read'),
    claims: claims('write'),
    objects: objects({ read: ['datasets'] }),
  },
  (input, ports, { now }) => planImport(ports, { ...input, now }),
);

import { datasets } from '#shared/datasets/wire.ts';
import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { planIngest } from '#shared/ingest/plan-ingest.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  ingest.tasks['plan-ingest'],
  {
    datasets: datasets('read'),
    runs: runs('read'),
    claims: claims('write'),
    objects: objects({
      read: ['uploads', 'imports', 'datasets', 'runs'],
      write: ['datasets', 'imports'],
      delete: ['uploads'],
    }),
  },
  (input, ports, { now }) => planIngest(ports, { ...input, now }),
);

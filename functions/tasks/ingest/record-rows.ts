import { datasets } from '#shared/datasets/wire.ts';
import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { recordRows } from '#shared/ingest/record-rows.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { appends, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  ingest.tasks['record-rows'],
  {
    datasets: datasets('write'),
    runs: runs('write'),
    appends,
    claims: claims('write'),
    objects: objects({ read: ['converted', 'datasets'], write: ['datasets'] }),
  },
  (input, ports, { now }) => recordRows(ports, { ...input, now }),
);

import { datasets } from '#shared/datasets/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { planIndex } from '#shared/responses/build-index.ts';
import { buildIndex } from '#shared/responses/pipelines.ts';
import { modelConcurrency, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  buildIndex.tasks['plan-index'],
  {
    datasets: datasets('write'),
    runs: runs('read'),
    objects: objects({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }),
    claims: claims('write'),
    modelConcurrency,
  },
  (context, ports) => planIndex(ports, context),
);

import { rowModels } from '#shared/adaptation/wire.ts';
import { invent } from '#shared/growth/pipelines/invent.ts';
import { planRound } from '#shared/growth/plan-round.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency, rowsWriter, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  invent.tasks['plan-round'],
  {
    runs: runs('write'),
    objects: objects({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }),
    writeRows: rowsWriter,
    modelConcurrency,
    models: rowModels,
  },
  ({ round, ...context }, ports) => planRound(ports, context, round),
);

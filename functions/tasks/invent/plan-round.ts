import { rowModels } from '#shared/adaptation/wire.ts';
import { invent } from '#shared/growth/pipelines/invent.ts';
import { planRound } from '#shared/growth/plan-round.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { modelConcurrency, rowAssembly } from '#shared/runs/wire.ts';

export const handler = runTask(
  invent.tasks['plan-round'],
  {
    ...rowAssembly({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }),
    modelConcurrency,
    models: rowModels,
  },
  ({ round, ...context }, ports) => planRound(ports, context, round),
);

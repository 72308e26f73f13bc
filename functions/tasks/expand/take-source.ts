import { expand } from '#shared/growth/pipelines/expand.ts';
import { takeSource } from '#shared/growth/take-source.ts';
import { modelIds } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { modelConcurrency, rowAssembly } from '#shared/runs/wire.ts';

export const handler = runTask(
  expand.tasks['take-source'],
  {
    ...rowAssembly({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }),
    modelConcurrency,
    models: modelIds(['rewrite', 'translate']),
  },
  (context, ports) => takeSource(ports, context),
);

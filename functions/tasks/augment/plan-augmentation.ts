import { workerModels } from '#shared/adaptation/wire.ts';
import { augment } from '#shared/growth/pipelines/augment.ts';
import { planAugmentation } from '#shared/growth/plan-augmentation.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { callsPerWorker, modelConcurrency, modelPatience, rowAssembly } from '#shared/runs/wire.ts';

export const handler = runTask(
  augment.tasks['plan-augmentation'],
  {
    ...rowAssembly({ read: ['datasets', 'runs', 'pool'], write: ['datasets', 'runs'] }),
    ...modelPatience,
    callsMax: callsPerWorker,
    modelConcurrency,
    // The id of the model for embeddings comes with the model itself.
    models: need({ modelIds: ['answer'] }, ({ env }) => env.modelIds(['embed', 'answer'])),
    configured: workerModels(['embed']),
  },
  async (context, { configured, ...ports }) =>
    planAugmentation({ ...ports, embedder: (await configured()).embedder() }, context),
);

import { expandBatch } from '#shared/adaptation/expand-batch.ts';
import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { contextTokensMax, judgingWorker, workerModels } from '#shared/adaptation/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { unbilled } from '#shared/platform/wire.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';

export const handler = runTask(
  adapt.tasks['expand-chunk'],
  {
    ...judgingWorker('write', { read: ['runs'], write: ['runs'] }),
    unbilled,
    contextTokensMax,
    configured: workerModels(['rewrite', 'judge', 'translate', 'embed']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const { generator, embedder } = await configured();
    const models = {
      rewrite: generator('rewrite'),
      judge: generator('judge'),
      translate: generator('translate'),
      embedder: embedder(),
    };
    return measureWorker('expand-chunk', tools, (invocation) =>
      expandBatch({ ...ports, models }, plan, invocation),
    );
  },
);

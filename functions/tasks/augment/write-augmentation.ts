import { workerModels } from '#shared/adaptation/wire.ts';
import { augment } from '#shared/growth/pipelines/augment.ts';
import { writeAugmentation } from '#shared/growth/write-augmentation.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { rowsWorker } from '#shared/runs/wire.ts';

export const handler = runTask(
  augment.tasks['write-augmentation'],
  {
    ...rowsWorker({ read: ['runs'], write: ['runs'] }),
    configured: workerModels(['answer']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const model = (await configured()).generator('answer');
    return measureWorker('write-augmentation', tools, (invocation) =>
      writeAugmentation({ ...ports, model }, plan, invocation),
    );
  },
);

import { scoreSample } from '#shared/adaptation/evaluate-dataset.ts';
import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { judgingWorker, workerModels } from '#shared/adaptation/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';

export const handler = runTask(
  evaluate.tasks['score-chunk'],
  {
    ...judgingWorker('read', { read: ['runs', 'reuse'], write: ['runs', 'reuse'] }),
    configured: workerModels(['judge', 'embed']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const { generator, embedder } = await configured();
    const models = { judge: generator('judge'), embedder: embedder() };
    return measureWorker('score-chunk', tools, (invocation) =>
      scoreSample({ ...ports, models }, plan, invocation),
    );
  },
);

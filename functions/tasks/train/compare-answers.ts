import { workerModels } from '#shared/adaptation/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { unbilled } from '#shared/platform/wire.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { modelWorker } from '#shared/runs/wire.ts';
import { compareAnswers } from '#shared/training/compare-iteration.ts';
import { train } from '#shared/training/pipelines.ts';

export const handler = runTask(
  train.tasks['compare-answers'],
  {
    ...modelWorker({ read: ['trainings'], write: ['trainings'] }),
    configured: workerModels(['judge']),
    unbilled,
  },
  async (plan, { configured, ...ports }, tools) => {
    const judge = (await configured()).generator('judge');
    return measureWorker('compare-answers', tools, (invocation) =>
      compareAnswers({ ...ports, judge }, plan, invocation),
    );
  },
);

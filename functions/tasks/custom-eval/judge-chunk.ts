import { workerModels } from '#shared/adaptation/wire.ts';
import { judgeSample } from '#shared/judging/custom-evals.ts';
import { customEval } from '#shared/judging/pipelines.ts';
import { customEvals } from '#shared/judging/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { modelWorker } from '#shared/runs/wire.ts';

export const handler = runTask(
  customEval.tasks['judge-chunk'],
  {
    ...modelWorker({ read: ['runs'], write: ['runs'] }),
    customEvals: customEvals('read'),
    configured: workerModels(['judge']),
  },
  async (plan, { configured, ...ports }, tools) => {
    const judge = (await configured()).generator('judge');
    return measureWorker('judge-chunk', tools, (invocation) =>
      judgeSample({ ...ports, judge }, plan, invocation),
    );
  },
);

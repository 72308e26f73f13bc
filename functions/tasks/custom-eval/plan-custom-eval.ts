import { planCustomEval } from '#shared/judging/custom-evals.ts';
import { customEval } from '#shared/judging/pipelines.ts';
import { customEvals } from '#shared/judging/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency } from '#shared/runs/wire.ts';

export const handler = runTask(
  customEval.tasks['plan-custom-eval'],
  {
    customEvals: customEvals('write'),
    objects: objects({ read: ['runs'], write: ['runs'] }),
    modelConcurrency,
  },
  (context, ports) => planCustomEval(ports, context),
);

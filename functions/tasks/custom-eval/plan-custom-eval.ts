import { customEval } from '#shared/adaptation/pipelines/custom-eval.ts';
import { planCustomEval } from '#shared/adaptation/wire/custom-eval-tasks.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  customEval.tasks['plan-custom-eval'],
  { planCustomEval },
  (context, { planCustomEval }) => planCustomEval(context),
);

import { customEval } from '#shared/pipelines/custom-eval.ts';
import { planCustomEval } from '#shared/runtime/deps/custom-eval-tasks.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  customEval.tasks['plan-custom-eval'],
  { planCustomEval },
  (context, { planCustomEval }) => planCustomEval(context),
);

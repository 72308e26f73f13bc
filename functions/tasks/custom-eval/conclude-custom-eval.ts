import { customEval } from '#shared/adaptation/pipelines/custom-eval.ts';
import { concludeCustomEval } from '#shared/adaptation/wire/custom-eval-tasks.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  customEval.tasks['conclude-custom-eval'],
  { concludeCustomEval },
  ({ error, ...context }, { concludeCustomEval }, { now }) =>
    concludeCustomEval(context, readFailure(error), now),
);

import { readFailure } from '#shared/errors/to-failure.ts';
import { customEval } from '#shared/pipelines/custom-eval.ts';
import { concludeCustomEval } from '#shared/runtime/deps/custom-eval-tasks.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  customEval.tasks['conclude-custom-eval'],
  { concludeCustomEval },
  ({ error, ...context }, { concludeCustomEval }, { now }) =>
    concludeCustomEval(context, readFailure(error), now),
);

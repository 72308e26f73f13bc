import { readFailure } from '#shared/errors/to-failure.ts';
import { evaluate } from '#shared/pipelines/evaluate.ts';
import { concludeEvaluation } from '#shared/runtime/deps/evaluation.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  evaluate.tasks['conclude-evaluation'],
  { concludeEvaluation },
  ({ error, ...context }, { concludeEvaluation }, { now }) =>
    concludeEvaluation(context, readFailure(error), now),
);

import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { concludeEvaluation } from '#shared/adaptation/wire/evaluation.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  evaluate.tasks['conclude-evaluation'],
  { concludeEvaluation },
  ({ error, ...context }, { concludeEvaluation }, { now }) =>
    concludeEvaluation(context, readFailure(error), now),
);

import { train } from '#shared/pipelines/train.ts';
import { compareAnswers } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['compare-answers'],
  { compareAnswers },
  (plan, { compareAnswers }, { deadline, requestId }) =>
    compareAnswers(plan, { deadlineMs: deadline, attempt: requestId }),
);

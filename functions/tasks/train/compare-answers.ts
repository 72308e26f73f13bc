import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';
import { compareAnswers } from '#shared/training/wire/train.ts';

export const handler = runTask(
  train.tasks['compare-answers'],
  { compareAnswers },
  (plan, { compareAnswers }, { deadline, requestId }) =>
    compareAnswers(plan, { deadlineMs: deadline, attempt: requestId }),
);

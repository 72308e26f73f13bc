import { customEval } from '#shared/adaptation/pipelines/custom-eval.ts';
import { judgeSample } from '#shared/adaptation/wire/judge-sample.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  customEval.tasks['judge-chunk'],
  { judgeSample },
  (plan, { judgeSample }, { deadline, requestId }) =>
    judgeSample(plan, { deadlineMs: deadline, attempt: requestId }),
);

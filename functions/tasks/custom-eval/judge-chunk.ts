import { customEval } from '#shared/pipelines/custom-eval.ts';
import { judgeSample } from '#shared/runtime/deps/judge-sample.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  customEval.tasks['judge-chunk'],
  { judgeSample },
  (plan, { judgeSample }, { deadline, requestId }) =>
    judgeSample(plan, { deadlineMs: deadline, attempt: requestId }),
);

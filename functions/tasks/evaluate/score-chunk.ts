import { evaluate } from '#shared/pipelines/evaluate.ts';
import { scoreSample } from '#shared/runtime/deps/workers.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  evaluate.tasks['score-chunk'],
  { scoreSample },
  (plan, { scoreSample }, { deadline, requestId }) =>
    scoreSample(plan, { deadlineMs: deadline, attempt: requestId }),
);

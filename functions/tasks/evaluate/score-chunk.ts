import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { scoreSample } from '#shared/adaptation/wire/workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  evaluate.tasks['score-chunk'],
  { scoreSample },
  (plan, { scoreSample }, { deadline, requestId }) =>
    scoreSample(plan, { deadlineMs: deadline, attempt: requestId }),
);

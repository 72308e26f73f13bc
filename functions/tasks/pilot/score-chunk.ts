import { scoreSample } from '#shared/adaptation/wire/workers.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  pilot.tasks['score-chunk'],
  { scoreSample },
  (plan, { scoreSample }, { deadline, requestId }) =>
    scoreSample(plan, { deadlineMs: deadline, attempt: requestId }),
);

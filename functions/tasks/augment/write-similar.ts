import { augment } from '#shared/pipelines/augment.ts';
import { writeSimilar } from '#shared/runtime/deps/augment.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  augment.tasks['write-similar'],
  { writeSimilar },
  (plan, { writeSimilar }, { deadline, requestId }) =>
    writeSimilar(plan, { deadlineMs: deadline, attempt: requestId }),
);

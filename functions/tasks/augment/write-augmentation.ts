import { augment } from '#shared/pipelines/augment.ts';
import { writeAugmentation } from '#shared/runtime/deps/augment.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  augment.tasks['write-augmentation'],
  { writeAugmentation },
  (plan, { writeAugmentation }, { deadline, requestId }) =>
    writeAugmentation(plan, { deadlineMs: deadline, attempt: requestId }),
);

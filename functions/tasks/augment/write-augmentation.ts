import { augment } from '#shared/growth/pipelines/augment.ts';
import { writeAugmentation } from '#shared/growth/wire/augment.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  augment.tasks['write-augmentation'],
  { writeAugmentation },
  (plan, { writeAugmentation }, { deadline, requestId }) =>
    writeAugmentation(plan, { deadlineMs: deadline, attempt: requestId }),
);

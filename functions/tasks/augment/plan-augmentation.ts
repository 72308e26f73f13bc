import { augment } from '#shared/growth/pipelines/augment.ts';
import { planAugmentation } from '#shared/growth/wire/augment.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  augment.tasks['plan-augmentation'],
  { planAugmentation },
  (context, { planAugmentation }) => planAugmentation(context),
);

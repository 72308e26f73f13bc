import { augment } from '#shared/pipelines/augment.ts';
import { planAugmentation } from '#shared/runtime/deps/augment.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  augment.tasks['plan-augmentation'],
  { planAugmentation },
  (context, { planAugmentation }) => planAugmentation(context),
);

import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';
import { augmentTraining } from '#shared/training/wire/augment-training.ts';

export const handler = runTask(
  train.tasks['augment-training'],
  { augmentTraining },
  (context, { augmentTraining }, { now }) => augmentTraining(context, now),
);

import { train } from '#shared/pipelines/train.ts';
import { augmentTraining } from '#shared/runtime/deps/augment-training.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['augment-training'],
  { augmentTraining },
  (context, { augmentTraining }, { now }) => augmentTraining(context, now),
);

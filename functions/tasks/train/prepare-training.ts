import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';
import { prepareTraining } from '#shared/training/wire/train.ts';

export const handler = runTask(
  train.tasks['prepare-training'],
  { prepareTraining },
  (context, { prepareTraining }) => prepareTraining(context),
);

import { train } from '#shared/pipelines/train.ts';
import { prepareTraining } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['prepare-training'],
  { prepareTraining },
  (context, { prepareTraining }) => prepareTraining(context),
);

import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';
import { finishTraining } from '#shared/training/wire/train.ts';

export const handler = runTask(
  train.tasks['finish-training'],
  { finishTraining },
  ({ error, ...context }, { finishTraining }, { now }) => finishTraining(context, readFailure(error), now),
);

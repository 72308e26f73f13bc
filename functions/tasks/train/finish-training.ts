import { readFailure } from '#shared/errors/to-failure.ts';
import { train } from '#shared/pipelines/train.ts';
import { finishTraining } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['finish-training'],
  { finishTraining },
  ({ error, ...context }, { finishTraining }, { now }) => finishTraining(context, readFailure(error), now),
);

import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';
import { concludeIteration } from '#shared/training/wire/train.ts';

export const handler = runTask(
  train.tasks['conclude-iteration'],
  { concludeIteration },
  ({ error, ...context }, { concludeIteration }) => concludeIteration(context, readFailure(error)),
);

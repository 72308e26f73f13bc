import { readFailure } from '#shared/errors/to-failure.ts';
import { train } from '#shared/pipelines/train.ts';
import { concludeIteration } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['conclude-iteration'],
  { concludeIteration },
  ({ error, ...context }, { concludeIteration }) => concludeIteration(context, readFailure(error)),
);

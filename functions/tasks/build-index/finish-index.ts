import { readFailure } from '#shared/errors/to-failure.ts';
import { buildIndex } from '#shared/pipelines/build-index.ts';
import { finishIndex } from '#shared/runtime/deps/build-index.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  buildIndex.tasks['finish-index'],
  { finishIndex },
  ({ plan, error, ...context }, { finishIndex }, { now }) =>
    finishIndex(context, plan, readFailure(error), now),
);

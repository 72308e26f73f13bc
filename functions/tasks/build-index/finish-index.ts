import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { buildIndex } from '#shared/responses/pipelines.ts';
import { finishIndex } from '#shared/responses/wire/build-index.ts';

export const handler = runTask(
  buildIndex.tasks['finish-index'],
  { finishIndex },
  ({ plan, error, ...context }, { finishIndex }, { now }) =>
    finishIndex(context, plan, readFailure(error), now),
);

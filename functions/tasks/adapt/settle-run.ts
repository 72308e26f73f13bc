import { readFailure } from '#shared/errors/to-failure.ts';
import { adapt } from '#shared/pipelines/adapt.ts';
import { finishRun } from '#shared/runtime/deps/settle.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['settle-run'],
  { finishRun },
  async ({ error, ...context }, { finishRun }, { now }) => {
    const { status } = await finishRun(context, readFailure(error), now);

    return { status };
  },
);

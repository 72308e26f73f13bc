import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { finishRun } from '#shared/lifecycle/wire/settle.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['settle-run'],
  { finishRun },
  async ({ error, ...context }, { finishRun }, { now }) => {
    const { status } = await finishRun(context, readFailure(error), now);

    return { status };
  },
);

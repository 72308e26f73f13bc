import { readFailure } from '#shared/errors/to-failure.ts';
import { expand } from '#shared/pipelines/expand.ts';
import { settleGrowth } from '#shared/runtime/deps/settle-growth.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  expand.tasks['settle-expansion'],
  { settleGrowth },
  async ({ error, ...context }, { settleGrowth }, { now }) => {
    const { status } = await settleGrowth(context, readFailure(error), now);

    return { status };
  },
);

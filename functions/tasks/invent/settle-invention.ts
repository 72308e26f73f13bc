import { readFailure } from '#shared/errors/to-failure.ts';
import { invent } from '#shared/pipelines/invent.ts';
import { settleGrowth } from '#shared/runtime/deps/settle-growth.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  invent.tasks['settle-invention'],
  { settleGrowth },
  async ({ error, ...context }, { settleGrowth }, { now }) => {
    const { status } = await settleGrowth(context, readFailure(error), now);

    return { status };
  },
);

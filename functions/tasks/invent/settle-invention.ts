import { invent } from '#shared/growth/pipelines/invent.ts';
import { settleGrowth } from '#shared/growth/wire/settle-growth.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  invent.tasks['settle-invention'],
  { settleGrowth },
  async ({ error, ...context }, { settleGrowth }, { now }) => {
    const { status } = await settleGrowth(context, readFailure(error), now);

    return { status };
  },
);

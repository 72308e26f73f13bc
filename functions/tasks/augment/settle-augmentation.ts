import { readFailure } from '#shared/errors/to-failure.ts';
import { augment } from '#shared/pipelines/augment.ts';
import { settleGrowth } from '#shared/runtime/deps/settle-growth.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  augment.tasks['settle-augmentation'],
  { settleGrowth },
  async ({ error, ...context }, { settleGrowth }, { now }) => {
    const { status } = await settleGrowth(context, readFailure(error), now);

    return { status };
  },
);

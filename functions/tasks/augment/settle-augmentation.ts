import { augment } from '#shared/growth/pipelines/augment.ts';
import { settleGrowth } from '#shared/growth/settle-growth.ts';
import { growthEnd } from '#shared/growth/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  augment.tasks['settle-augmentation'],
  growthEnd,
  async ({ error, ...context }, ports, { now }) => {
    const { status } = await settleGrowth(ports, context, readFailure(error), now);
    return { status };
  },
);

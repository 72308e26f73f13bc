import { endGrowth } from '#shared/growth/end-growth.ts';
import { augment } from '#shared/growth/pipelines/augment.ts';
import { growthEnd } from '#shared/growth/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  augment.tasks['settle-augmentation'],
  growthEnd,
  async ({ error, ...context }, ports, { now }) => {
    const { status } = await endGrowth(ports, context, readFailure(error), now);
    return { status };
  },
);

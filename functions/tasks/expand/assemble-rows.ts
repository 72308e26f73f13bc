import { expand } from '#shared/growth/pipelines/expand.ts';
import { assembleGrowth } from '#shared/growth/wire/expand.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  expand.tasks['assemble-rows'],
  { assembleGrowth },
  async (context, { assembleGrowth }, { now }) => {
    const { rows } = await assembleGrowth(context, now);

    return { made: rows.changed + rows.expanded };
  },
);

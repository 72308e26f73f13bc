import { expand } from '#shared/pipelines/expand.ts';
import { assembleGrowth } from '#shared/runtime/deps/expand.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  expand.tasks['assemble-rows'],
  { assembleGrowth },
  async (context, { assembleGrowth }, { now }) => {
    const { rows } = await assembleGrowth(context, now);

    return { made: rows.changed + rows.expanded };
  },
);

import { invent } from '#shared/pipelines/invent.ts';
import { assembleInvention } from '#shared/runtime/deps/invent.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  invent.tasks['assemble-invention'],
  { assembleInvention },
  async (context, { assembleInvention }, { now }) => {
    const { rows } = await assembleInvention(context, now);

    return { made: rows.changed + rows.expanded };
  },
);

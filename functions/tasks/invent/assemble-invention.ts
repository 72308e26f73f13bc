import { invent } from '#shared/growth/pipelines/invent.ts';
import { assembleInvention } from '#shared/growth/wire/invent.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  invent.tasks['assemble-invention'],
  { assembleInvention },
  async (context, { assembleInvention }, { now }) => {
    const { rows } = await assembleInvention(context, now);

    return { made: rows.changed + rows.expanded };
  },
);

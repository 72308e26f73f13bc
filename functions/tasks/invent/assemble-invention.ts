import { assembleInvention } from '#shared/growth/assemble-invention.ts';
import { invent } from '#shared/growth/pipelines/invent.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { unbilled } from '#shared/platform/wire.ts';
import { rowAssembly } from '#shared/runs/wire.ts';

export const handler = runTask(
  invent.tasks['assemble-invention'],
  { ...rowAssembly({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }), unbilled },
  async (context, ports, { now }) => {
    const { rows } = await assembleInvention(ports, context, now);
    return { made: rows.changed + rows.expanded };
  },
);

import { assembleGrowth } from '#shared/growth/assemble-growth.ts';
import { expand } from '#shared/growth/pipelines/expand.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { unbilled } from '#shared/platform/wire.ts';
import { rowAssembly } from '#shared/runs/wire.ts';

export const handler = runTask(
  expand.tasks['assemble-rows'],
  { ...rowAssembly({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }), unbilled },
  async (context, ports, { now }) => {
    const { rows } = await assembleGrowth(ports, context, now);
    return { made: rows.changed + rows.expanded };
  },
);

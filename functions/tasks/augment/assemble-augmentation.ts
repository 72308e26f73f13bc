import { assembleAugmentation } from '#shared/growth/assemble-augmentation.ts';
import { augment } from '#shared/growth/pipelines/augment.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { unbilled } from '#shared/platform/wire.ts';
import { rowAssembly } from '#shared/runs/wire.ts';

export const handler = runTask(
  augment.tasks['assemble-augmentation'],
  { ...rowAssembly({ read: ['datasets', 'runs', 'pool'], write: ['datasets', 'runs'] }), unbilled },
  async (context, ports, { now }) => {
    const { rows } = await assembleAugmentation(ports, context, now);
    return { added: rows.expanded };
  },
);

import { augment } from '#shared/growth/pipelines/augment.ts';
import { assembleAugmentation } from '#shared/growth/wire/augment.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  augment.tasks['assemble-augmentation'],
  { assembleAugmentation },
  async (context, { assembleAugmentation }, { now }) => {
    const { rows } = await assembleAugmentation(context, now);

    return { added: rows.expanded };
  },
);

import { augment } from '#shared/pipelines/augment.ts';
import { assembleAugmentation } from '#shared/runtime/deps/augment.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  augment.tasks['assemble-augmentation'],
  { assembleAugmentation },
  async (context, { assembleAugmentation }, { now }) => {
    const { rows } = await assembleAugmentation(context, now);

    return { added: rows.expanded };
  },
);

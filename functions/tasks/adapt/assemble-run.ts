import { adapt } from '#shared/pipelines/adapt.ts';
import { assembleExports } from '#shared/runtime/deps/exporting.ts';
import { assembleRun } from '#shared/runtime/deps/settle.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['assemble-run'],
  { assembleRun, assembleExports },
  async (context, { assembleRun, assembleExports }, { now }) => {
    const { rows } = await assembleRun(context, now);
    await assembleExports(context);

    return { changed: rows.changed, kept: rows.kept, dropped: rows.dropped, failed: rows.failed };
  },
);

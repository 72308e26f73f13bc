import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { assembleExports } from '#shared/exports/wire/exporting.ts';
import { startRowIndex } from '#shared/exports/wire/row-index.ts';
import { assembleRun } from '#shared/lifecycle/wire/settle.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['assemble-run'],
  { assembleRun, assembleExports, startRowIndex },
  async (context, { assembleRun, assembleExports, startRowIndex }, { now }) => {
    const { rows } = await assembleRun(context, now);
    await startRowIndex(context);
    await assembleExports(context);

    return { changed: rows.changed, kept: rows.kept, dropped: rows.dropped, failed: rows.failed };
  },
);

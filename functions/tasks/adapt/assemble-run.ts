import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { buildExportsOfRun } from '#shared/exports/build-export.ts';
import { startRowIndex } from '#shared/exports/read-rows.ts';
import { exportBuild, startIndex } from '#shared/exports/wire.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { runAssembly } from '#shared/lifecycle/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  adapt.tasks['assemble-run'],
  {
    ...runAssembly(),
    ...exportBuild({ write: ['exports'] }),
    objects: objects({ read: ['datasets', 'runs', 'reuse'], write: ['runs', 'reuse', 'exports'] }),
    startIndex,
  },
  async (context, { startIndex, ...ports }, { now }) => {
    const { rows } = await assembleRun(ports, context, { now });
    const onFailure = (error: unknown): void => logger.error('row index not set off', describeError(error));
    await startRowIndex({ claims: ports.claims, startIndex, onFailure }, context);
    await buildExportsOfRun(ports, context);
    return { changed: rows.changed, kept: rows.kept, dropped: rows.dropped, failed: rows.failed };
  },
);

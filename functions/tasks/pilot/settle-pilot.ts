import { finishPilot } from '#shared/pilots/finish-pilot.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs, settleRun } from '#shared/runs/wire.ts';

export const handler = runTask(
  pilot.tasks['settle-pilot'],
  { objects: objects({ read: ['runs'], write: ['runs'] }), runs: runs('write'), settleRun },
  async ({ error, ...context }, ports, { now }) => {
    const { status } = await finishPilot(ports, context, readFailure(error), now);
    return { status };
  },
);

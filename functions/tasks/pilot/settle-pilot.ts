import { endPilot } from '#shared/pilots/end-pilot.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { endRun, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  pilot.tasks['settle-pilot'],
  { objects: objects({ read: ['runs'], write: ['runs'] }), runs: runs('write'), endRun },
  async ({ error, ...context }, ports, { now }) => {
    const { status } = await endPilot(ports, context, readFailure(error), now);
    return { status };
  },
);

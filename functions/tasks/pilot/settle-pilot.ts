import { pilot } from '#shared/pilots/pipelines.ts';
import { finishPilot } from '#shared/pilots/wire/run-pilot.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  pilot.tasks['settle-pilot'],
  { finishPilot },
  async ({ error, ...context }, { finishPilot }, { now }) => {
    const { status } = await finishPilot(context, readFailure(error), now);

    return { status };
  },
);

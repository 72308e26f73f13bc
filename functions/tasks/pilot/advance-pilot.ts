import { pilot } from '#shared/pilots/pipelines.ts';
import { advancePilot } from '#shared/pilots/wire/run-pilot.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(pilot.tasks['advance-pilot'], { advancePilot }, (context, { advancePilot }) =>
  advancePilot(context),
);

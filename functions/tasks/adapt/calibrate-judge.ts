import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { runCalibrator } from '#shared/adaptation/wire-workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['calibrate-judge'],
  { calibrate: runCalibrator() },
  (context, { calibrate }) => calibrate(context),
);

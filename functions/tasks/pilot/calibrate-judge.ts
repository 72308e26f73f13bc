import { calibrateJudge } from '#shared/adaptation/wire/calibrate-judge.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  pilot.tasks['calibrate-judge'],
  { calibrateJudge },
  async (context, { calibrateJudge }) => ({ calibrated: (await calibrateJudge(context)) !== null }),
);

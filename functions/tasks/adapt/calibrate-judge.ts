import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { calibrateJudge } from '#shared/adaptation/wire/calibrate-judge.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['calibrate-judge'],
  { calibrateJudge },
  async (context, { calibrateJudge }) => ({ calibrated: (await calibrateJudge(context)) !== null }),
);

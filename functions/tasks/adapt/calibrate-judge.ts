import { adapt } from '#shared/pipelines/adapt.ts';
import { calibrateJudge } from '#shared/runtime/deps/calibrate-judge.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['calibrate-judge'],
  { calibrateJudge },
  async (context, { calibrateJudge }) => ({ calibrated: (await calibrateJudge(context)) !== null }),
);

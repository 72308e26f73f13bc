import { calibrateJudge } from '#shared/adaptation/calibrate-judge.ts';
import { withJudge } from '#shared/adaptation/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';

export const handler = runTask(
  train.tasks['calibrate-judge'],
  { withJudge },
  async (_context, { withJudge }) => ({ calibrated: (await withJudge(calibrateJudge)) !== null }),
);

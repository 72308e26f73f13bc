import { calibrateJudge } from '#shared/judging/calibrate-judge.ts';
import { withJudge } from '#shared/judging/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';

export const handler = runTask(
  train.tasks['calibrate-judge'],
  { withJudge },
  async (_context, { withJudge }) => ({ calibrated: (await withJudge(calibrateJudge)) !== null }),
);

import { train } from '#shared/pipelines/train.ts';
import { calibrateJudgeOfAnswers } from '#shared/runtime/deps/calibrate-judge.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['calibrate-judge'],
  { calibrateJudgeOfAnswers },
  async (_context, { calibrateJudgeOfAnswers }) => ({
    calibrated: (await calibrateJudgeOfAnswers()) !== null,
  }),
);

import { calibrateJudgeOfAnswers } from '#shared/adaptation/wire/calibrate-judge.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';

export const handler = runTask(
  train.tasks['calibrate-judge'],
  { calibrateJudgeOfAnswers },
  async (_context, { calibrateJudgeOfAnswers }) => ({
    calibrated: (await calibrateJudgeOfAnswers()) !== null,
  }),
);

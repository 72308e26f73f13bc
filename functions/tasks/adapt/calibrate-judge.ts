import { calibrateForRun } from '#shared/adaptation/calibrate-for-run.ts';
import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { withJudge } from '#shared/judging/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  adapt.tasks['calibrate-judge'],
  { withJudge, objects: objects({ read: ['runs'] }) },
  async ({ run_id }, { withJudge, objects }) => ({
    calibrated: (await withJudge((judging) => calibrateForRun(judging, objects, run_id))) !== null,
  }),
);

import { rowModels } from '#shared/adaptation/wire.ts';
import { invent } from '#shared/growth/pipelines/invent.ts';
import { planRound } from '#shared/growth/plan-round.ts';
import { calibrateJudge } from '#shared/judging/calibrate-judge.ts';
import { withJudge } from '#shared/judging/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency, rowsWriter, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  invent.tasks['plan-round'],
  {
    runs: runs('write'),
    objects: objects({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }),
    writeRows: rowsWriter,
    modelConcurrency,
    models: rowModels,
    withJudge,
  },
  ({ round, ...context }, { withJudge, ...ports }, { now }) =>
    planRound({ ...ports, measureJudge: () => withJudge(calibrateJudge) }, context, { round, now }),
);

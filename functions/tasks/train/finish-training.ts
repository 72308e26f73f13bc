import { datasets } from '#shared/datasets/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
import { finishTraining } from '#shared/training/finish-training.ts';
import { train } from '#shared/training/pipelines.ts';
import { settleAnyRun, trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  train.tasks['finish-training'],
  {
    trainings: trainings('write'),
    datasets: datasets('write'),
    runs: runs('write'),
    objects: objects({ read: ['runs', 'trainings'], write: ['trainings'], delete: ['trainings'] }),
    settleRun: settleAnyRun,
  },
  ({ error, ...context }, ports, { now }) => finishTraining(ports, context, readFailure(error), now),
);

import { datasets } from '#shared/datasets/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
import { endTraining } from '#shared/training/end-training.ts';
import { train } from '#shared/training/pipelines.ts';
import { endAnyRun, trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  train.tasks['finish-training'],
  {
    trainings: trainings('write'),
    datasets: datasets('write'),
    runs: runs('write'),
    objects: objects({ read: ['runs', 'trainings'], write: ['trainings'], delete: ['trainings'] }),
    endRun: endAnyRun,
  },
  ({ error, ...context }, ports, { now }) => endTraining(ports, context, readFailure(error), now),
);

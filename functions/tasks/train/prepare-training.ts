import { datasets } from '#shared/datasets/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';
import { train } from '#shared/training/pipelines.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  train.tasks['prepare-training'],
  {
    trainings: trainings('write'),
    datasets: datasets('read'),
    runs: runs('read'),
    objects: objects({ read: ['datasets', 'runs', 'trainings'], write: ['trainings'] }),
  },
  (context, ports) => prepareTraining(ports, context),
);

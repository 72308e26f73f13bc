import { idempotency } from '#shared/access/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { freeUses, unbilled } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { endRun, executions, ledger, runs } from '#shared/runs/wire.ts';
import { augmentTraining } from '#shared/training/augment-training.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { train } from '#shared/training/pipelines.ts';
import { startTrainingAugmentation } from '#shared/training/start-training-augmentation.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  train.tasks['augment-training'],
  {
    ledger: ledger('write'),
    endRun,
    datasets: datasets('write'),
    runs: runs('write'),
    trainings: trainings('write'),
    idempotency,
    objects: objects({ read: ['runs'], write: ['runs'] }),
    executions: executions({ starts: ['augment'] }),
    unbilled,
    freeUses,
    clock,
  },
  (context, ports, { now }) => {
    const start = (training: TrainingRecord, at: number) => startTrainingAugmentation(ports, training, at);
    return augmentTraining({ ...ports, start }, context, now);
  },
);

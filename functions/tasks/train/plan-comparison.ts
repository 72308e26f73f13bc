import { calibrations } from '#shared/judging/wire.ts';
import { modelId } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency } from '#shared/runs/wire.ts';
import { planComparison } from '#shared/training/compare-iteration.ts';
import { train } from '#shared/training/pipelines.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  train.tasks['plan-comparison'],
  {
    trainings: trainings('read'),
    objects: objects({ read: ['trainings'], write: ['trainings'] }),
    calibrations: calibrations('read'),
    judgeId: modelId('judge'),
    modelConcurrency,
  },
  (context, ports) => planComparison(ports, context),
);

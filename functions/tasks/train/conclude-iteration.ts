import { modelId } from '#shared/models/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { assembleIteration } from '#shared/training/compare-iteration.ts';
import { train } from '#shared/training/pipelines.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  train.tasks['conclude-iteration'],
  {
    trainings: trainings('write'),
    objects: objects({ read: ['trainings'], write: ['trainings'] }),
    judgeId: modelId('judge'),
  },
  ({ error, ...context }, ports) => assembleIteration(ports, context, readFailure(error)),
);

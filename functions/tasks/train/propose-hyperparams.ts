import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { train } from '#shared/training/pipelines.ts';
import { proposeHyperparams } from '#shared/training/propose-hyperparams.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = runTask(
  train.tasks['propose-hyperparams'],
  { trainings: trainings('read'), objects: objects({ read: ['trainings'], write: ['trainings'] }) },
  (context, ports) => proposeHyperparams(ports, context),
);

import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';
import { proposeHyperparams } from '#shared/training/wire/train.ts';

export const handler = runTask(
  train.tasks['propose-hyperparams'],
  { proposeHyperparams },
  (context, { proposeHyperparams }) => proposeHyperparams(context),
);

import { train } from '#shared/pipelines/train.ts';
import { proposeIteration } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['propose-hyperparams'],
  { proposeIteration },
  (context, { proposeIteration }) => proposeIteration(context),
);

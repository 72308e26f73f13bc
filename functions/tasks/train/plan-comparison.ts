import { train } from '#shared/pipelines/train.ts';
import { planComparison } from '#shared/runtime/deps/train.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  train.tasks['plan-comparison'],
  { planComparison },
  (context, { planComparison }) => planComparison(context),
);

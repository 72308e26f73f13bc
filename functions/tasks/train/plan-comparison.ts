import { runTask } from '#shared/platform/runtime/task.ts';
import { train } from '#shared/training/pipelines.ts';
import { planComparison } from '#shared/training/wire/train.ts';

export const handler = runTask(
  train.tasks['plan-comparison'],
  { planComparison },
  (context, { planComparison }) => planComparison(context),
);

import { adapt } from '#shared/pipelines/adapt.ts';
import { planExpansion } from '#shared/runtime/deps/plan-expansion.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['plan-expansion'],
  { planExpansion },
  (context, { planExpansion }) => planExpansion(context),
);

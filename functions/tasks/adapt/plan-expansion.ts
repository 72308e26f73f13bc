import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { planExpansion } from '#shared/adaptation/wire/plan-expansion.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['plan-expansion'],
  { planExpansion },
  (context, { planExpansion }) => planExpansion(context),
);

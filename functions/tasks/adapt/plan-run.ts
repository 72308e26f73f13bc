import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { planAdaptation } from '#shared/adaptation/wire/plan-adaptation.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(adapt.tasks['plan-run'], { planAdaptation }, (context, { planAdaptation }) =>
  planAdaptation(context),
);

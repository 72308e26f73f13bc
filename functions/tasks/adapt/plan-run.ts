import { adapt } from '#shared/pipelines/adapt.ts';
import { planAdaptation } from '#shared/runtime/deps/plan-adaptation.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(adapt.tasks['plan-run'], { planAdaptation }, (context, { planAdaptation }) =>
  planAdaptation(context),
);

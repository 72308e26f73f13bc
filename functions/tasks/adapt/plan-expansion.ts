import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { planExpansion } from '#shared/adaptation/plan-expansion.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency } from '#shared/runs/wire.ts';

export const handler = runTask(
  adapt.tasks['plan-expansion'],
  { objects: objects({ read: ['runs'], write: ['runs'] }), modelConcurrency },
  (context, ports) => planExpansion(ports, context),
);

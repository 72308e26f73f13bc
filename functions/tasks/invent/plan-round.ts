import { invent } from '#shared/growth/pipelines/invent.ts';
import { planRound } from '#shared/growth/wire/invent.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  invent.tasks['plan-round'],
  { planRound },
  ({ round, ...context }, { planRound }) => planRound(context, round),
);

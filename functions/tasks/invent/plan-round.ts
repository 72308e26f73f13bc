import { invent } from '#shared/pipelines/invent.ts';
import { planRound } from '#shared/runtime/deps/invent.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  invent.tasks['plan-round'],
  { planRound },
  ({ round, ...context }, { planRound }) => planRound(context, round),
);

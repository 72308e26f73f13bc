import { sampleScorer } from '#shared/adaptation/wire-workers.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  pilot.tasks['score-chunk'],
  { scoreSample: sampleScorer() },
  (plan, { scoreSample }, tools) => scoreSample(plan, tools),
);

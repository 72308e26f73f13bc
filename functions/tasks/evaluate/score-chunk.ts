import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { sampleScorer } from '#shared/adaptation/wire-workers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  evaluate.tasks['score-chunk'],
  { scoreSample: sampleScorer() },
  (plan, { scoreSample }, tools) => scoreSample(plan, tools),
);

import { evaluate } from '#shared/pipelines/evaluate.ts';
import { planEvaluation } from '#shared/runtime/deps/evaluation.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  evaluate.tasks['plan-evaluation'],
  { planEvaluation },
  (context, { planEvaluation }, { now }) => planEvaluation(context, now),
);

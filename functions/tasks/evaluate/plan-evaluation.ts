import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { planEvaluation } from '#shared/adaptation/wire/evaluation.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  evaluate.tasks['plan-evaluation'],
  { planEvaluation },
  (context, { planEvaluation }, { now }) => planEvaluation(context, now),
);

import { assembleCustomEval } from '#shared/judging/custom-evals.ts';
import { customEval } from '#shared/judging/pipelines.ts';
import { customEvals } from '#shared/judging/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  customEval.tasks['conclude-custom-eval'],
  { customEvals: customEvals('write'), objects: objects({ read: ['runs'] }) },
  ({ error, ...context }, ports, { now }) => assembleCustomEval(ports, context, readFailure(error), now),
);

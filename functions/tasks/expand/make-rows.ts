import { expand } from '#shared/growth/pipelines/expand.ts';
import { rowMaker } from '#shared/growth/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';

export const handler = runTask(
  expand.tasks['make-rows'],
  { makeRows: rowMaker() },
  (plan, { makeRows }, tools) =>
    measureWorker('make-rows', tools, (invocation) => makeRows(plan, invocation)),
);

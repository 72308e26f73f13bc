import { invent } from '#shared/growth/pipelines/invent.ts';
import { rowMaker } from '#shared/growth/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';

export const handler = runTask(
  invent.tasks['translate-rows'],
  { makeRows: rowMaker() },
  (plan, { makeRows }, tools) =>
    measureWorker('translate-rows', tools, (invocation) => makeRows(plan, invocation)),
);

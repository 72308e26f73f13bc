import { combine } from '#shared/pipelines/combine.ts';
import { combineRows } from '#shared/runtime/deps/combine-rows.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  combine.tasks['combine-rows'],
  { combineRows },
  (context, { combineRows }, { deadline, now }) => combineRows(context, { deadlineMs: deadline, now }),
);

import { combine } from '#shared/growth/pipelines/combine.ts';
import { combineRows } from '#shared/growth/wire/combine-rows.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  combine.tasks['combine-rows'],
  { combineRows },
  (context, { combineRows }, { deadline, now }) => combineRows(context, { deadlineMs: deadline, now }),
);

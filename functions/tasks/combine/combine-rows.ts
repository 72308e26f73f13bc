import { combineRows } from '#shared/growth/combine-rows.ts';
import { combine } from '#shared/growth/pipelines/combine.ts';
import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { rowAssembly } from '#shared/runs/wire.ts';

export const handler = runTask(
  combine.tasks['combine-rows'],
  { ...rowAssembly({ read: ['datasets', 'runs'], write: ['datasets', 'runs'] }), clock },
  (context, { clock, ...ports }, { deadline, now }) =>
    combineRows({ ...ports, clock: clock.now }, context, { deadlineMs: deadline, now }),
);

import { ADAPT_ROWS_PROMPTS } from '#shared/adaptation/decide/prompts/adapt-rows-prompts.ts';
import { rowModels } from '#shared/adaptation/wire.ts';
import { calibrations } from '#shared/judging/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { advancePilot } from '#shared/pilots/advance-pilot.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  pilot.tasks['advance-pilot'],
  {
    objects: objects({ read: ['datasets', 'runs'], write: ['runs'] }),
    runs: runs('write'),
    calibrations: calibrations('read'),
    clock,
    modelConcurrency,
    models: rowModels,
  },
  (context, { clock, ...ports }) =>
    advancePilot({ ...ports, now: clock.now, promptVersions: ADAPT_ROWS_PROMPTS }, context),
);

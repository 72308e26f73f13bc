import { ADAPT_ROWS_PROMPTS } from '#shared/adaptation/decide/prompts/adapt-rows-prompts.ts';
import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { planAdaptation } from '#shared/adaptation/plan-adaptation.ts';
import { rowModels, speeds } from '#shared/adaptation/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { modelConcurrency, runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  adapt.tasks['plan-run'],
  {
    runs: runs('write'),
    objects: objects({ read: ['datasets', 'runs'], write: ['runs'] }),
    modelConcurrency,
    speeds: speeds('read'),
    models: rowModels,
    clock,
  },
  (context, ports) => planAdaptation({ ...ports, promptVersions: ADAPT_ROWS_PROMPTS }, context),
);

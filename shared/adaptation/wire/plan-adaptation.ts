import { theClock } from '#shared/models/wire/clock.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { ADAPT_ROWS_PROMPTS } from '../decide/prompts/adapt-rows-prompts.ts';
import { planAdaptation as plan } from '../plan-run.ts';
import { createSpeedStore } from '../store/speeds.ts';

type PlanAdaptation = (context: RunContext) => ReturnType<typeof plan>;

export const planAdaptation = /* @__PURE__ */ need<PlanAdaptation>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['runs'] },
    modelIds: ['rewrite', 'answer', 'judge', 'translate', 'embed'],
  },
  (use) => {
    const ports = {
      runs: createRunRepository(use(theTable)),
      objects: use(theObjects),
      modelConcurrency: use.env.modelConcurrency(),
      speeds: createSpeedStore(use(theTable)),
      models: Object.fromEntries(use.env.modelRoles().map((role) => [role, use.env.modelId(role)])),
      promptVersions: ADAPT_ROWS_PROMPTS,
      clock: use(theClock),
    };
    return (context) => plan(ports, context);
  },
);

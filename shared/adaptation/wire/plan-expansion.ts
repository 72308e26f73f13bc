import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { planExpansion as plan } from '../plan-expansion.ts';

/** Plans the rows in other languages. */
export const planExpansion = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof plan>>(
  { bucket: { read: ['runs'], write: ['runs'] } },
  (use) => (context) =>
    plan({ objects: use(theObjects), modelConcurrency: use.env.modelConcurrency() }, context),
);

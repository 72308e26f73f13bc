import { need } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { concludeCustomEval as conclude, planCustomEval as plan } from '../custom-evals.ts';
import { createCustomEvalRepository } from '../store/custom-evals.ts';

export const planCustomEval = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof plan>>(
  { table: 'write', bucket: { read: ['runs'], write: ['runs'] } },
  (use) => (context) =>
    plan(
      {
        customEvals: createCustomEvalRepository(use(theTable)),
        objects: use(theObjects),
        modelConcurrency: use.env.modelConcurrency(),
      },
      context,
    ),
);

type Conclude = (context: RunContext, error: ErrorData | null, now: number) => ReturnType<typeof conclude>;

export const concludeCustomEval = /* @__PURE__ */ need<Conclude>(
  { table: 'write', bucket: { read: ['runs'] } },
  (use) => (context, error, now) =>
    conclude(
      { customEvals: createCustomEvalRepository(use(theTable)), objects: use(theObjects) },
      context,
      error,
      now,
    ),
);

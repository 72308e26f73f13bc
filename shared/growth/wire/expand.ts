import { models } from '#shared/models/wire/models.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import type { GrowPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import { theAssemblyPorts } from '#shared/runs/wire/assembly-ports.ts';
import { measureWorker } from '#shared/runs/wire/measure-worker.ts';
import { callsPerWorker, theWorkerPorts, type Worker } from '#shared/runs/wire/worker-ports.ts';
import { assembleGrowth as assemble } from '../assemble-growth.ts';
import { makeRows as make } from '../make-rows.ts';
import { takeSource as take } from '../take-source.ts';

const rewriters = ['rewrite', 'translate'] as const;

/** Copies the rows of a source and plans the rows to generate. */
export const takeSource = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof take>>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] },
    modelIds: rewriters,
  },
  (use) => {
    const ports = {
      ...theAssemblyPorts(use),
      modelConcurrency: use.env.modelConcurrency(),
      models: use.env.modelIds(rewriters),
    };
    return (context) => take(ports, context);
  },
);

const making = /* @__PURE__ */ models(rewriters, callsPerWorker);

const uses = [
  making,
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['runs'] },
  },
] as const;

async function thePorts(use: Use) {
  const configured = await use(making)();
  return {
    ...theWorkerPorts(use),
    models: { rewrite: configured.generator('rewrite'), translate: configured.generator('translate') },
    contextTokensMax: use.env.modelContextTokens(),
  };
}

/** Generates rows from those of one chunk. */
export const makeRows = /* @__PURE__ */ need<Worker<GrowPlan>>(uses, (use) => async (plan, invocation) => {
  const ports = await thePorts(use);
  return measureWorker('make-rows', (watch) => make({ ...ports, watch }, plan, invocation));
});

/** Translates invented rows. */
export const translateRows = /* @__PURE__ */ need<Worker<GrowPlan>>(
  uses,
  (use) => async (plan, invocation) => {
    const ports = await thePorts(use);
    return measureWorker('translate-rows', (watch) => make({ ...ports, watch }, plan, invocation));
  },
);

/** Writes the generated rows into their dataset. */
export const assembleGrowth = /* @__PURE__ */ need<
  (context: RunContext, now: number) => ReturnType<typeof assemble>
>(
  { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] } },
  (use) => (context, now) => assemble(theAssemblyPorts(use), context, now),
);

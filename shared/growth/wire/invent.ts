import { createCalibrationStore } from '#shared/adaptation/store/calibrations.ts';
import { models } from '#shared/models/wire/models.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { CandidatePlan, RunContext } from '#shared/runs/schema/run-context.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theAssemblyPorts } from '#shared/runs/wire/assembly-ports.ts';
import { measureWorker } from '#shared/runs/wire/measure-worker.ts';
import { callsPerWorker, theWorkerPorts, type Worker } from '#shared/runs/wire/worker-ports.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { assembleInvention as assemble } from '../assemble-invention.ts';
import { makeCandidates as make } from '../make-candidates.ts';
import { planRound as plan } from '../plan-round.ts';

const recorded = ['rewrite', 'answer', 'judge', 'translate', 'embed'] as const;
const rows = { read: ['datasets', 'runs'], write: ['datasets', 'runs'] } as const;

/** Selects rows among the candidates, and decides whether more are needed. */
export const planRound = /* @__PURE__ */ need<
  (context: RunContext, round: number) => ReturnType<typeof plan>
>({ table: 'write', bucket: rows, modelIds: recorded }, (use) => {
  const ports = {
    runs: createRunRepository(use(theTable)),
    objects: use(theObjects),
    writeRows,
    modelConcurrency: use.env.modelConcurrency(),
    models: use.env.modelIds(recorded),
  };
  return (context, round) => plan(ports, context, round);
});

const inventing = /* @__PURE__ */ models(['rewrite', 'answer', 'judge', 'embed'], callsPerWorker);

/** Generates and judges some candidates. */
export const makeCandidates = /* @__PURE__ */ need<Worker<CandidatePlan>>(
  [inventing, { table: 'write', bucket: { read: ['runs'], write: ['runs'] } }],
  (use) => async (chunk, invocation) => {
    const configured = await use(inventing)();
    const ports = {
      ...theWorkerPorts(use),
      calibrations: createCalibrationStore(use(theTable)),
      models: {
        rewrite: configured.generator('rewrite'),
        answer: configured.generator('answer'),
        judge: configured.generator('judge'),
        embedder: configured.embedder(),
      },
    };
    return measureWorker('make-candidates', (watch) => make({ ...ports, watch }, chunk, invocation));
  },
);

/** Writes the invented rows into their dataset. */
export const assembleInvention = /* @__PURE__ */ need<
  (context: RunContext, now: number) => ReturnType<typeof assemble>
>({ table: 'write', bucket: rows }, (use) => (context, now) => assemble(theAssemblyPorts(use), context, now));

import { models } from '#shared/models/wire/models.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { ScorePlan } from '#shared/runs/schema/run-context.ts';
import { measureWorker } from '#shared/runs/wire/measure-worker.ts';
import { callsPerWorker, theModelWorkerPorts, type Worker } from '#shared/runs/wire/worker-ports.ts';
import { judgeSample as judge } from '../custom-evals.ts';
import { createCustomEvalRepository } from '../store/custom-evals.ts';

const judging = /* @__PURE__ */ models(['judge'], callsPerWorker);

export const judgeSample = /* @__PURE__ */ need<Worker<ScorePlan>>(
  [judging, { table: 'read', bucket: { read: ['runs'], write: ['runs'] } }],
  (use) => async (plan, invocation) => {
    const configured = await use(judging)();
    const ports = {
      ...theModelWorkerPorts(use),
      customEvals: createCustomEvalRepository(use(theTable)),
      judge: configured.generator('judge'),
    };
    return measureWorker('judge-chunk', (watch) => judge({ ...ports, watch }, plan, invocation));
  },
);

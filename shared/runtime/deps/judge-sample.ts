import { createCustomEvalRepository } from '../../adapters/dynamodb/custom-evals.ts';
import { judgeSample as judge } from '../../operations/custom-evals.ts';
import type { ScorePlan } from '../../schema/run-context.ts';
import { measureWorker } from '../measure-worker.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theTable } from './table.ts';
import { callsPerWorker, theModelWorkerPorts, type Worker } from './worker-ports.ts';

const judging = models(['judge'], callsPerWorker);

export const judgeSample = need<Worker<ScorePlan>>(
  { ...judging.uses, table: 'read', bucket: { read: ['runs'], write: ['runs'] } },
  () => async (plan, invocation) => {
    const configured = await judging.get()();
    const ports = {
      ...theModelWorkerPorts(),
      customEvals: createCustomEvalRepository(theTable()),
      judge: configured.generator('judge'),
    };
    return measureWorker('judge-chunk', (watch) => judge({ ...ports, watch }, plan, invocation));
  },
);

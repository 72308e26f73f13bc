import { createCustomEvalRepository } from '../../adapters/dynamodb/custom-evals.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { judgeSample as judge } from '../../operations/custom-evals.ts';
import type { ScorePlan } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { measureWorker } from '../measure-worker.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';
import { callsPerWorker } from './worker-ports.ts';

const judging = models(['judge'], callsPerWorker);

type JudgeSample = (plan: ScorePlan, invocation: Parameters<typeof judge>[2]) => ReturnType<typeof judge>;

export const judgeSample = need<JudgeSample>(
  { ...judging.uses, table: 'read', bucket: { read: ['runs'], write: ['runs'] } },
  () => async (plan, invocation) => {
    const configured = await judging.get()();
    const ports = {
      customEvals: createCustomEvalRepository(theTable()),
      objects: theObjects(),
      judge: configured.generator('judge'),
      callsPerWorker: callsPerWorker(),
      outageSecondsMax: env.modelOutageSeconds(),
      clock: systemClock,
      random: Math.random,
    };
    return measureWorker('judge-chunk', (watch) => judge({ ...ports, watch }, plan, invocation));
  },
);

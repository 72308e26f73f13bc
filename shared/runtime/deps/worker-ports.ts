import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { workforceOf } from '../../domain/runs/plan.ts';
import type { WorkerPorts } from '../../operations/run-worker.ts';
import { env } from '../env.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

/** Calls that each of the workers may have open, which share what the installation may. */
export const callsPerWorker = (): number => workforceOf(env.modelConcurrency()).callsPerWorker;

export const theWorkerPorts = (): WorkerPorts => ({
  objects: theObjects(),
  runs: createRunRepository(theTable()),
  callsPerWorker: callsPerWorker(),
  outageSecondsMax: env.modelOutageSeconds(),
  clock: systemClock,
  random: Math.random,
});

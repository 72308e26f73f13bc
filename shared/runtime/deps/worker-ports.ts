import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { workforceOf } from '../../domain/runs/plan.ts';
import type { Invocation, ModelWorkerPorts, WorkStatus } from '../../operations/run-rows-on-model.ts';
import type { WorkerPorts } from '../../operations/run-worker.ts';
import { env } from '../env.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

/** A worker with its ports: processes its share of the work in one invocation. */
export type Worker<Plan> = (plan: Plan, invocation: Invocation) => Promise<{ status: WorkStatus }>;

/** Concurrent calls of each worker; all workers share the installation's limit. */
export const callsPerWorker = (): number => workforceOf(env.modelConcurrency()).callsPerWorker;

export const theModelWorkerPorts = (): ModelWorkerPorts => ({
  objects: theObjects(),
  callsPerWorker: callsPerWorker(),
  outageSecondsMax: env.modelOutageSeconds(),
  clock: systemClock,
  random: Math.random,
});

export const theWorkerPorts = (): WorkerPorts => ({
  ...theModelWorkerPorts(),
  runs: createRunRepository(theTable()),
});

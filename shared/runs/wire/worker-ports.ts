import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { workforceOf } from '../decide/plan.ts';
import type { Invocation, ModelWorkerPorts, WorkerPorts, WorkStatus } from '../run-worker.ts';
import { createRunRepository } from '../store/runs.ts';

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

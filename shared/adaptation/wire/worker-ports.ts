import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import type { Invocation, ModelWorkerPorts, WorkStatus } from '../run-rows-on-model.ts';
import type { WorkerPorts } from '../run-worker.ts';

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

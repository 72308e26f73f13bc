import { theClock } from '#shared/models/wire/clock.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { workforceOf } from '../decide/plan.ts';
import type { Invocation, ModelWorkerPorts, WorkerPorts, WorkStatus } from '../run-worker.ts';
import { createRunRepository } from '../store/runs.ts';

/** A worker with its ports: processes its share of the work in one invocation. */
export type Worker<Plan> = (plan: Plan, invocation: Invocation) => Promise<{ status: WorkStatus }>;

/** Concurrent calls of each worker; all workers share the installation's limit. */
export const callsPerWorker = (use: Use): number => workforceOf(use.env.modelConcurrency()).callsPerWorker;

export const theModelWorkerPorts = (use: Use): ModelWorkerPorts => ({
  objects: use(theObjects),
  callsPerWorker: callsPerWorker(use),
  outageSecondsMax: use.env.modelOutageSeconds(),
  clock: use(theClock),
  random: use(theRandom),
});

export const theWorkerPorts = (use: Use): WorkerPorts => ({
  ...theModelWorkerPorts(use),
  runs: createRunRepository(use(theTable)),
});

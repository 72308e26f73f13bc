import { randomUUID } from 'node:crypto';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';

import type { Caller } from '#shared/platform/access/caller.ts';
import type { RateLimiter } from '#shared/platform/access/repository.ts';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import type { Needs, Use } from '#shared/platform/runtime/need.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import type { EndRun } from '#shared/runs/end-run.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import { launchRun } from '#shared/runs/wire.ts';
import { trainingCompanion } from '#shared/training/store/training-transactions.ts';
import { endAnyRun } from '#shared/training/wire.ts';
import { call, type Request, type Response } from './call.ts';
import type { MemoryExecutions } from './memory-executions.ts';
import type { MemoryObjects } from './memory-objects.ts';
import { createMemoryResources, type StandIn } from './memory-resources.ts';
import { createStores, type Store } from './memory-store.ts';
import type { MemoryTable } from './memory-table.ts';

/** The service in memory: the wiring of production on resources in memory. */
export interface World {
  readonly table: MemoryTable;
  /** Every store, on the table. */
  readonly store: Store;
  readonly objects: MemoryObjects;
  readonly executions: MemoryExecutions;
  /** The resources in memory: `use(endAdaptation)` is what the function gets that needs `endAdaptation`. */
  readonly use: Use;
  /** As `use`, with other settings than the installation of the tests has. */
  installed(settings: Readonly<Record<string, string>>): Use;
  readonly launchRun: LaunchRun;
  readonly endRun: EndRun;
  /** Payloads by function, in the order in which they were handed over. */
  readonly invoked: { functionId: string; payload: unknown }[];
  /** @param overrides what takes the place of needs, by their names in the handler */
  call<C extends EndpointContract, N extends Needs>(
    handler: ServedHandler<C, N>,
    request: Request,
    overrides?: Readonly<Record<string, unknown>> & { readonly rateLimiter?: RateLimiter },
  ): Promise<Response<C>>;
}

/**
 * @param now the time of the table and of clocks, in milliseconds since the epoch
 * @param given what stands in for resources, in place of what does by itself
 */
export function createWorld(now: () => number = Date.now, given: readonly StandIn[] = []): World {
  const resources = createMemoryResources(now, given);
  const { table, use } = resources;
  return {
    ...resources,
    store: createStores(table),
    launchRun: use(launchRun([], {}, { train: trainingCompanion })),
    endRun: use(endAnyRun),
    call: (handler, request, overrides = {}) => call(handler, request, overrides, use),
  };
}

/** Keeps a dataset's file where its caller would have put it. */
export async function upload(world: World, dataset: DatasetRecord, content: string): Promise<void> {
  await world.objects.write(dataset.s3_key, content, 'text/csv');
}

/** A caller whose organization has another team. */
export function strangerTo(caller: Caller): Caller {
  return { ...caller, team_id: randomUUID(), user_id: randomUUID(), key_id: randomUUID() };
}

import type { Caller } from '../domain/access/caller.ts';
import type { DatasetChanges, DatasetRecord } from '../domain/datasets/record.ts';
import type { IdempotentOperation } from '../domain/idempotency/record.ts';
import type { IdempotencyRepository } from '../domain/idempotency/repository.ts';
import type { Ledger } from '../domain/ledger/repository.ts';
import type { Executions } from '../domain/runs/executions.ts';
import type { RunPipeline } from '../domain/runs/record.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';

export interface LaunchRunPorts {
  readonly ledger: Ledger;
  readonly runs: RunRepository;
  readonly idempotency: IdempotencyRepository;
  readonly objects: Pick<ObjectStore, 'write'>;
  readonly executions: Pick<Executions, 'start'>;
  readonly newId: () => string;
}

/** What a run takes and gives, as decided from the dataset and the request. */
export interface LaunchDecision<Response> {
  readonly credits: number;
  /** Rows that the run processes; null where only the run finds out. */
  readonly rows: number | null;
  /** Set on the dataset with the launch. */
  readonly changes?: DatasetChanges;
  /** The answer to the caller, which a replay repeats. */
  readonly response: (runId: string) => Response;
}

export interface LaunchRunInput<Response> {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  readonly pipeline: RunPipeline;
  /** The validated request; null where the run has none. */
  readonly request: unknown;
  readonly idempotency?: { readonly operation: IdempotentOperation; readonly key: string };
  /** Called unless the request is a replay, so that what it checks never stands against one. */
  readonly decide: () => LaunchDecision<Response>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type LaunchRun = <Response>(input: LaunchRunInput<Response>) => Promise<Response>;

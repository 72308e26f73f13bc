import type { DatasetEvent } from '#shared/events/decide/event.ts';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Action, Table } from '#shared/platform/store/table.ts';
import type { Ending } from '../decide/ledger/repository.ts';
import type { RunRecord } from '../decide/record.ts';
import type { RunPipeline } from '../decide/run-kinds.ts';

/** Writes of a transaction, by a name that no other write of the ledger has. */
export type Writes = Readonly<Record<string, Action>>;

/**
 * What a capability above keeps of the runs of a kind, such as the training of a run: it begins and ends in the
 * transactions in which the run does.
 */
export interface Companion {
  /** @param record that of the launch */
  launch(record: unknown): CompanionLaunch;
  /** Id of the one that is open on a dataset, of which there is one at a time. */
  findActive(table: Table, datasetId: string): Promise<string | null>;
  /** Null if the run has none. */
  end(table: Table, run: RunRecord, ending: Ending): Promise<CompanionEnd | null>;
}

export interface CompanionLaunch {
  readonly writes: Writes;
  /** Why the launch is refused if writes of these names failed; null if they say nothing. */
  readonly refusalOf: (failed: ReadonlySet<string>) => ServiceError | null;
}

export interface CompanionEnd {
  readonly writes: Writes;
  /** In the place of the event of the run. */
  readonly event: DatasetEvent;
}

/** Those of an installation, by the kind of their run. */
export type Companions = Readonly<Partial<Record<RunPipeline, Companion>>>;

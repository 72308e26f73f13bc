import type { IdempotencyRecord } from '#shared/access/decide/idempotency/record.ts';
import type { Accounts } from '#shared/access/decide/ledger/accounts.ts';
import type { DatasetChanges, DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { VersionRecord } from '#shared/datasets/decide/versions.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { FileWarning } from '#shared/tabular/schema/rows-manifest.ts';
import type { RowCounts } from '../../schema/row-counts.ts';
import type { RunRecord } from '../record.ts';

/** All items that a launch writes atomically. */
export interface Launch {
  readonly run: RunRecord;
  /** The version that an adaptation makes: no other may have come to the dataset since it was decided. */
  readonly version?: VersionRecord;
  readonly changes: DatasetChanges;
  /** The plan's limit of concurrent runs. */
  readonly runsAtOnce: number;
  readonly idempotency: IdempotencyRecord | null;
  /** The dataset of the run, if the launch creates it. */
  readonly newDataset?: DatasetRecord;
  /** What a capability above keeps of the run, such as its training; its id is the run's. */
  readonly companion?: unknown;
  /** Code of the voucher that the launch redeems. */
  readonly voucher?: string;
}

/** How a run ended. `billedCredits` is at most what was reserved; the rest returns to the team. */
export interface Ending {
  readonly dataset_id: string;
  readonly run_id: string;
  readonly status: 'succeeded' | 'failed';
  readonly billedCredits: number;
  /** Credits without the discount of a voucher; absent: `billedCredits`. */
  readonly priceBeforeDiscount?: number;
  readonly counts: RowCounts | null;
  readonly errorData: ErrorData | null;
  readonly changes: DatasetChanges;
  /** What it did not make of what was asked for, if it succeeded; absent for nothing. */
  readonly warnings?: readonly FileWarning[];
  /** Whether nothing of it was begun: its dataset is then as before the launch, but for one whose rows it was to make. */
  readonly isUnstarted?: boolean;
  readonly endedAt: string;
}

/** The only writer of holds, of the start and end of runs, and (besides the meter) of balances and ledger entries. */
export interface Ledger extends Accounts {
  /**
   * Reserves the credits, claims the idempotency key, writes the run and moves the dataset, in one transaction.
   * `replayed` is the record of the first request with that key; then nothing changes.
   * @throws ServiceError `credits_insufficient`, `runs_limit_reached`, `dataset_running`, `dataset_not_ready`,
   * `dataset_not_found`, `service_unavailable`; of a training `dataset_untrainable`, `training_running`;
   * `voucher_invalid`
   */
  launch(launch: Launch): Promise<{ replayed: IdempotencyRecord | null }>;
  /**
   * Ends a run in one transaction: settles or releases its credits, updates the run and its dataset, and ends its
   * companion. If the run has already ended, nothing changes and the result is the run as it first ended. A run that a caller was
   * told of does not end as not started: it is then returned as it is, active.
   * @throws Error if this kind of run has a companion, and the ledger was made without it
   */
  end(ending: Ending): Promise<RunRecord>;
}

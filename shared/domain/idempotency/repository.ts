import type { IdempotencyRecord } from './record.ts';

export type IdempotencyScope = Pick<IdempotencyRecord, 'team_id' | 'operation' | 'dataset_id' | 'key_hash'>;

/** Records are written by the transaction that launches a run, never on their own. */
export interface IdempotencyRepository {
  /** Consistent read; null once the record has expired. */
  find(scope: IdempotencyScope): Promise<IdempotencyRecord | null>;
  /** Lets the key be used anew, if it still belongs to that run. */
  forget(scope: IdempotencyScope, runId: string): Promise<void>;
}

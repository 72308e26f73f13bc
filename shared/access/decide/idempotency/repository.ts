import type { IdempotencyRecord } from './record.ts';

export type IdempotencyScope = Pick<IdempotencyRecord, 'team_id' | 'operation' | 'dataset_id' | 'key_hash'>;

/** Only the transaction that launches a run writes records. */
export interface IdempotencyRepository {
  /** Consistent read; null once the record has expired. */
  find(scope: IdempotencyScope): Promise<IdempotencyRecord | null>;
  /** Releases the key for reuse, if it still belongs to that run. */
  forget(scope: IdempotencyScope, runId: string): Promise<void>;
}

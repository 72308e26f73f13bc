import * as z from 'zod';

/** Requests with the same key, team, dataset and operation are one; `/adapt` and `/run` are one operation. */
export const IdempotentOperation = z.enum([
  'adapt',
  'combine',
  'translate',
  'localize',
  'extend',
  'invent',
  'augment',
  'train',
]);
export type IdempotentOperation = z.infer<typeof IdempotentOperation>;

/** The first request with a key, and its response. */
export const IdempotencyRecord = z.object({
  team_id: z.string(),
  operation: IdempotentOperation,
  /** `NEW_DATASET` where the request makes one. */
  dataset_id: z.string(),
  /** The dataset that the request made. */
  new_dataset_id: z.string().optional(),
  /** SHA-256 of the caller's key. */
  key_hash: z.string(),
  /** SHA-256 of the canonical JSON of the request. */
  request_hash: z.string(),
  run_id: z.string(),
  /** The answer as JSON text, since a map of the table does not keep the order of its keys. */
  response: z.string(),
  created_at: z.iso.datetime(),
});
export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/** Stands for the dataset of a request that is about none yet. */
export const NEW_DATASET = 'new';

export const IDEMPOTENCY_DAYS = 30;

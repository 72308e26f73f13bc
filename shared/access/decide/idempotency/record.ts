import * as z from 'zod';

/** Requests with the same key, team, dataset and operation are one; `/adapt` and `/run` are one operation. */
export const IdempotentOperation = z.enum([
  'adapt',
  'pilot',
  'append',
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
  /** `NEW_DATASET` if the request creates one. */
  dataset_id: z.string(),
  /** The dataset that the request created. */
  new_dataset_id: z.string().optional(),
  /** SHA-256 of the caller's key. */
  key_hash: z.string(),
  /** SHA-256 of the canonical JSON of the request. */
  request_hash: z.string(),
  run_id: z.string(),
  /** The response as JSON text, because a DynamoDB map does not keep the order of keys. */
  response: z.string(),
  created_at: z.iso.datetime(),
});
export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/** Placeholder for the dataset of a request that creates one. */
export const NEW_DATASET = 'new';

export const IDEMPOTENCY_DAYS = 30;

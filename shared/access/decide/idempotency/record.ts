import * as z from 'zod';

/** The first request with a key, and its response. */
export const IdempotencyRecord = z.object({
  team_id: z.string(),
  /** Requests with the same key, team, dataset and operation are one. */
  operation: z.string(),
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

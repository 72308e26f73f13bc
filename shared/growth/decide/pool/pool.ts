import * as z from 'zod';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { ShardPlace } from '#shared/runs/schema/run-context.ts';

/** A row of the curated pool: a question with a good answer and, for preference pairs, a worse one. */
export const PoolRow = z.object({
  /** The system message and the turns before the prompt, as JSON, of a row that a model wrote after rows with such. */
  system: z.string().optional(),
  earlier: z.string().optional(),
  prompt: z.string(),
  /** What the prompt is about, of a row that a model wrote after rows with a context. */
  context: z.string().optional(),
  completion: z.string(),
  rejected: z.string().optional(),
  /** Where the row comes from: what a licence asks to be named, for instance. */
  source: z.string().optional(),
});
export type PoolRow = z.infer<typeof PoolRow>;

/** Rows of one shard. A search holds one shard at a time. */
export const SHARD_ROWS = 1000;

const PoolShard = z.object({ n: z.int().min(0), row_count: z.int().min(1), has_pairs: z.boolean() });

/** One load of the pool: a file that an operator loaded. */
export const PoolLoad = z.object({
  version: z.literal(1),
  load_id: z.string(),
  name: z.string(),
  loaded_at: z.iso.datetime(),
  /** The model whose vectors the shards hold, of unit length. */
  embedding: z.object({ model: z.string(), dimensions: z.int().min(1) }),
  shards: z.array(PoolShard).min(1),
});
export type PoolLoad = z.infer<typeof PoolLoad>;

/** Every load, the oldest first. */
export async function readLoads(objects: Pick<ObjectStore, 'list' | 'read'>): Promise<PoolLoad[]> {
  const loads: PoolLoad[] = [];
  for await (const key of objects.list(objectKeys.poolLoads())) {
    const load = await findJson(objects, key, PoolLoad);
    if (load !== null) loads.push(load);
  }
  return loads.sort((a, b) => a.loaded_at.localeCompare(b.loaded_at) || (a.load_id < b.load_id ? -1 : 1));
}

/** The shards whose rows can be searched with vectors of a model; those with pairs alone where pairs are wanted. */
export function shardsOf(loads: readonly PoolLoad[], modelId: string, withPairs: boolean): ShardPlace[] {
  return loads
    .filter(({ embedding }) => embedding.model === modelId)
    .flatMap(({ load_id, shards }) =>
      shards
        .filter(({ has_pairs }) => has_pairs || !withPairs)
        .map(({ n, row_count }) => ({ load_id, n, row_count })),
    );
}

export const rowCountOf = (shards: readonly Pick<ShardPlace, 'row_count'>[]): number =>
  shards.reduce((sum, { row_count }) => sum + row_count, 0);

import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { sampleRows } from '#shared/runs/decide/sample-rows.ts';
import type { SearchPlan, ShardPlace } from '#shared/runs/schema/run-context.ts';
import { type Candidate, PoolSearch } from './decide/pool/augment-request.ts';
import { VectorSet } from './decide/pool/exact-search.ts';
import { rowCountOf } from './decide/pool/pool.ts';
import { readVectorShard } from './decide/pool/vector-shard.ts';

/** Shards that are read concurrently. */
const READ_AT_ONCE = 8;

/**
 * Searches a group of the pool's shards: for each topic the nearest rows that are near enough, as many as for the whole pool, so that
 * merging the groups gives the nearest rows of the pool; and the similarity of the random rows to any topic. Holds the
 * vectors of the group. Idempotent.
 * @throws {ServiceError} `run_interrupted` if a shard is missing, or has vectors of another model
 */
export async function searchPool(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  plan: SearchPlan,
): Promise<{ status: 'finished' }> {
  const search = await readJson(objects, objectKeys.topics(plan.run_id), PoolSearch);
  const centres = search.topics.map(({ centre }) => Float32Array.from(centre));
  const rows = rowCountOf(plan.shards);
  const set = new VectorSet(centres[0]?.length ?? 0, rows, centres.length);
  for (let at = 0; at < plan.shards.length; at += READ_AT_ONCE) {
    const group = plan.shards.slice(at, at + READ_AT_ONCE);
    for (const vectors of await Promise.all(
      group.map((shard) => readVectors(objects, shard, search.model)),
    )) {
      set.add(vectors);
    }
  }

  const candidates: Candidate[] = [];
  const counts = search.topics.map(({ candidates: count }) => count);
  for (const [topic, hits] of set.search(centres, counts).entries()) {
    for (const { row, score } of hits) {
      if (score >= search.nearness) candidates.push({ row: plan.first_row + row, topic, score });
    }
  }
  for (const row of sampleRows(search.pool_rows, search.drawn, search.seed)) {
    const own = row - plan.first_row;
    if (own < 0 || own >= rows) continue;
    const score = Math.max(...centres.map((centre) => set.product(own, centre)));
    candidates.push({ row, topic: null, score });
  }
  await writeLines(objects, objectKeys.candidates(plan.run_id, plan.n), candidates);
  return { status: 'finished' };
}

async function readVectors(
  objects: Pick<ObjectStore, 'read'>,
  { load_id, n, row_count: rows }: ShardPlace,
  modelId: string,
): Promise<Float32Array> {
  const body = await objects.read(objectKeys.poolVectors(load_id, n));
  const shard = body === null ? null : readVectorShard(body);
  if (shard === null || shard.model !== modelId || shard.vectors.length !== rows * shard.dimensions) {
    throw new ServiceError(
      'run_interrupted',
      'The curated pool was reloaded meanwhile. Send the request again.',
    );
  }
  return shard.vectors;
}

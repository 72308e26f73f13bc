import { type EmbedTextsPorts, embedTexts } from '#shared/models/embed-texts.ts';
import { readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { PoolRow } from './decide/pool/pool.ts';
import { readVectorShard, type VectorShard, writeVectorShard } from './decide/pool/vector-shard.ts';

export interface EmbedShardPorts extends EmbedTextsPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
}

export interface EmbeddedShard {
  readonly row_count: number;
  readonly model: string;
  readonly dimensions: number;
}

/**
 * Computes the vectors of a shard of the pool, from its prompts. Existing vectors of the configured model stay
 * unchanged.
 */
export async function embedShard(
  ports: EmbedShardPorts,
  { load_id: loadId, n }: { readonly load_id: string; readonly n: number },
): Promise<EmbeddedShard> {
  const { objects, embedder } = ports;
  const lines = await readLines(objects, objectKeys.poolRows(loadId, n));
  if (lines.length === 0) throw new Error(`There is no shard ${n} of the load ${loadId}.`);
  const key = objectKeys.poolVectors(loadId, n);
  const known = await objects.read(key);
  let shard: VectorShard | null = known === null ? null : readVectorShard(known);
  if (
    shard === null ||
    shard.model !== embedder?.modelId ||
    shard.vectors.length !== lines.length * shard.dimensions
  ) {
    const prompts = lines.map((line) => PoolRow.parse(JSON.parse(line)).prompt);
    const { model, vectors } = await embedTexts(ports, prompts);
    const body = writeVectorShard(model, vectors);
    await objects.write(key, body, 'application/octet-stream');
    shard = readVectorShard(body);
  }
  return { row_count: lines.length, model: shard.model, dimensions: shard.dimensions };
}

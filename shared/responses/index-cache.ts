import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { VectorSet } from '#shared/growth/decide/pool/exact-search.ts';
import { readVectorShard } from '#shared/growth/decide/pool/vector-shard.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { IndexManifest, type IndexShard } from './decide/retrieval/index-manifest.ts';
import { WordShard } from './decide/retrieval/word-shard.ts';

/** Bytes of one group's vectors: small enough to evict separately, large enough for few WebAssembly memories. */
const GROUP_BYTES = 256 * 1024 * 1024;
const unpack = promisify(brotliDecompress);
/** Shards that are prefetched. */
const READ_AHEAD = 24;

/** The current index of the dataset; null if it has none. */
export function readIndexManifest(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
): Promise<IndexManifest | null> {
  return findJson(objects, objectKeys.indexManifest(datasetId), IndexManifest);
}

/** Objects of a build are missing: a newer one replaced it, or they were lost. */
export class IndexGone extends ServiceError {
  readonly manifest: IndexManifest;

  constructor(manifest: IndexManifest) {
    super('index_not_ready', 'The search index was rebuilt meanwhile. Try again.', {
      retryAfterSeconds: 1,
    });
    this.manifest = manifest;
  }
}

/** Shards of an index that are cached together. */
export interface GroupPlace {
  readonly manifest: IndexManifest;
  readonly withVectors: boolean;
  /** Number of the first of its shards. */
  readonly firstShard: number;
  readonly shards: readonly IndexShard[];
  /** Its memory. */
  readonly bytes: number;
}

export interface IndexGroup {
  /** Null if they are not requested. */
  readonly vectors: VectorSet | null;
  readonly words: readonly WordShard[];
}

/** The groups of an index, in order. */
export function groupsOf(manifest: IndexManifest, withVectors: boolean): GroupPlace[] {
  const rowBytes = withVectors ? 4 * (manifest.embedding?.dimensions ?? 0) : 0;
  const groups: GroupPlace[] = [];
  let shards: IndexShard[] = [];
  let bytes = 0;
  const close = (): void => {
    if (shards.length === 0) return;
    groups.push({ manifest, withVectors, firstShard: shards[0]?.n ?? 0, shards, bytes });
    shards = [];
    bytes = 0;
  };
  for (const shard of manifest.shards) {
    const own = shard.rows * rowBytes + shard.word_bytes;
    if (bytes + own > GROUP_BYTES) close();
    shards.push(shard);
    bytes += own;
  }
  close();
  return groups;
}

/**
 * Caches groups of indexes between searches, least recently used first out. A build never changes, so the cache is
 * never stale.
 */
export class IndexCache {
  readonly #objects: Pick<ObjectStore, 'read'>;
  readonly #bytesMax: number;
  readonly #held = new Map<string, { readonly bytes: number; readonly group: Promise<IndexGroup> }>();

  constructor(objects: Pick<ObjectStore, 'read'>, bytesMax: number) {
    this.#objects = objects;
    this.#bytesMax = bytesMax;
  }

  /**
   * Passes the groups to `use`, in order. If they do not fit the memory together, they are loaded one after another.
   * @throws {IndexGone} if one is missing
   */
  async forEach(places: readonly GroupPlace[], use: (at: number, group: IndexGroup) => void): Promise<void> {
    const fits = places.reduce((sum, { bytes }) => sum + bytes, 0) <= this.#bytesMax;
    const loading = fits ? places.map((place) => this.#get(place)) : [];
    for (const each of loading) each.catch(() => {});
    for (const [at, place] of places.entries()) {
      use(at, await (loading[at] ?? loadGroup(this.#objects, place)));
    }
  }

  #get(place: GroupPlace): Promise<IndexGroup> {
    const { manifest, withVectors, firstShard, bytes } = place;
    const key = `${manifest.dataset_id} ${manifest.build_id} ${withVectors} ${firstShard}`;
    const held = this.#held.get(key);
    const group = held?.group ?? loadGroup(this.#objects, place);
    // The last entry of the map is the most recently used.
    this.#held.delete(key);
    this.#held.set(key, { bytes, group });
    if (held === undefined) {
      group.catch(() => this.#held.delete(key));
      this.#evict();
    }
    return group;
  }

  #evict(): void {
    let bytes = 0;
    for (const held of this.#held.values()) bytes += held.bytes;
    for (const [key, held] of this.#held) {
      if (bytes <= this.#bytesMax) return;
      this.#held.delete(key);
      bytes -= held.bytes;
    }
  }
}

async function loadGroup(objects: Pick<ObjectStore, 'read'>, place: GroupPlace): Promise<IndexGroup> {
  const { manifest, shards, withVectors } = place;
  const rows = shards.reduce((sum, shard) => sum + shard.rows, 0);
  const { dataset_id: datasetId, build_id: buildId, embedding } = manifest;
  const vectors = withVectors && embedding !== null ? new VectorSet(embedding.dimensions, rows, 1) : null;
  const words: WordShard[] = [];
  const requireObject = async (key: string): Promise<Buffer> => {
    const body = await objects.read(key);
    if (body === null) throw new IndexGone(manifest);
    return body;
  };
  const read = async ({ n }: IndexShard): Promise<[Buffer, Buffer | null]> =>
    Promise.all([
      requireObject(objectKeys.indexWords(datasetId, buildId, n)).then((body) => unpack(body)),
      vectors === null ? null : requireObject(objectKeys.indexVectors(datasetId, buildId, n)),
    ]);
  const reading: Promise<[Buffer, Buffer | null]>[] = [];
  const begin = (at: number): void => {
    const shard = shards[at];
    if (shard === undefined) return;
    const body = read(shard);
    // A failure is thrown when its turn comes.
    body.catch(() => {});
    reading[at] = body;
  };
  for (let at = 0; at < READ_AHEAD; at += 1) begin(at);
  for (let at = 0; at < shards.length; at += 1) {
    const [ofWords, ofVectors] = (await reading[at]) as [Buffer, Buffer | null];
    delete reading[at];
    begin(at + READ_AHEAD);
    words.push(new WordShard(ofWords));
    if (vectors !== null && ofVectors !== null) vectors.add(readVectorShard(ofVectors).vectors);
  }
  return { vectors, words };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { EmbeddingClient } from '#shared/models/decide/port.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { indexShard } from '#shared/responses/build-index.ts';
import { INDEX_SHARD_ROWS, type IndexManifest } from '#shared/responses/decide/retrieval/index-manifest.ts';
import { termsOf } from '#shared/responses/decide/retrieval/terms.ts';
import { IndexCache } from '#shared/responses/index-cache.ts';
import { type SearchDatasetsPorts, searchDatasets } from '#shared/responses/search-datasets.ts';
import { DIMENSIONS, unitVectors } from './pool-search.ts';
import { type BenchResult, resultOf } from './result.ts';

const WARM_MILLISECONDS_MAX = 300;
const COLD_SECONDS_MAX = 3;
const HITS = 10;
const QUERY_WORDS = 12;
const ROW_WORDS = 90;
/** Sustained S3 throughput of a Lambda function (600 Mbit/s), and time to first byte. */
const BYTES_PER_SECOND = 75_000_000;
const FIRST_BYTE_MILLISECONDS = 25;

const RUN_ID = 'run';
const DATASET: DatasetRecord = {
  ...madeDataset(
    { team_id: 'team', organization_id: 'organization', user_id: '00000000-0000-4000-8000-000000000000' },
    { kind: 'uploaded', sourceDatasetId: null, sources: [], name: 'Bench', description: '', format: 'jsonl' },
    '00000000-0000-4000-8000-000000000000',
    0,
  ),
  state: 'succeeded',
  last_run_id: RUN_ID,
};
const BUILD_ID = 'run-index-1';

/**
 * Searches of one dataset whose index was built by the service's code: warm, with a full cache, and cold, from a store
 * with the speed of S3; compared with a full scan of vectors and words in plain JavaScript. The embedding model
 * responds at once. Fails if the results differ from the full scan.
 */
export async function benchDatasetSearch({ rows = 100_000, repetitions = 5 } = {}): Promise<{
  warm: BenchResult;
  cold: BenchResult;
  note: string;
}> {
  const texts = zipfTexts(rows, ROW_WORDS, 1);
  const queries = zipfTexts(repetitions, QUERY_WORDS, 2);
  const vectors = unitVectors(rows + queries.length, 3);
  const vectorOf = new Map([...texts, ...queries].map((text, n) => [text.slice(0, 1000), n]));
  const embedder: EmbeddingClient = {
    modelId: 'bench',
    embed: async (asked) =>
      asked.map((text) => {
        const at = (vectorOf.get(text) ?? 0) * DIMENSIONS;
        return vectors.slice(at, at + DIMENSIONS);
      }),
  };
  const objects = new Map<string, Buffer>();
  const builtAt = performance.now();
  const manifest = await build(objects, texts, embedder);
  const buildSeconds = (performance.now() - builtAt) / 1000;
  let bytes = 0;
  for (const [key, body] of objects) if (!key.includes('/texts/')) bytes += body.length;

  const naive = new NaiveSearch(texts, vectors.subarray(0, rows * DIMENSIONS));
  const ports = portsOf(objects, embedder, true);
  const cold: number[] = [];
  const warm: number[] = [];
  const peer: number[] = [];
  for (const query of queries) {
    const own = portsOf(objects, embedder, true);
    cold.push(1 / (await secondsOf(() => search(own, query))));
  }
  await search(ports, queries[0] as string);
  for (const [n, query] of queries.entries()) {
    const at = (rows + n) * DIMENSIONS;
    let found: number[] = [];
    warm.push(1 / (await secondsOf(async () => (found = await search(ports, query)))));
    let expected: number[] = [];
    peer.push(
      1 /
        (await secondsOf(
          async () => (expected = naive.search(query, vectors.subarray(at, at + DIMENSIONS))),
        )),
    );
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      throw new Error(`The search found ${found}, and a look at every row finds ${expected}.`);
    }
  }
  const name = `hybrid search of ${rows} rows × ${DIMENSIONS}`;
  const mebibytes = (bytes / 2 ** 20).toFixed(0);
  return {
    warm: resultOf({
      name: `${name}, warm`,
      unit: 'searches/s',
      runs: warm,
      bound: { name: `what ${WARM_MILLISECONDS_MAX} ms allow`, value: 1000 / WARM_MILLISECONDS_MAX },
      peers: [{ name: 'plain JavaScript over every row, in memory', runs: peer }],
    }),
    cold: resultOf({
      name: `${name}, cold`,
      unit: 'searches/s',
      runs: cold,
      bound: { name: `what ${COLD_SECONDS_MAX} s allow`, value: 1 / COLD_SECONDS_MAX },
      peers: [{ name: 'reading alone', runs: [BYTES_PER_SECOND / bytes] }],
    }),
    note:
      `${manifest.shards.length} shards of ${mebibytes} MiB together, read at ${BYTES_PER_SECOND / 1e6} MB/s after ` +
      `${FIRST_BYTE_MILLISECONDS} ms each; built at ${Math.round(rows / buildSeconds)} rows/s on one thread, the model apart`,
  };
}

async function build(
  objects: Map<string, Buffer>,
  texts: readonly string[],
  embedder: EmbeddingClient,
): Promise<IndexManifest> {
  const { objects: store, ...asking } = portsOf(objects, embedder, false);
  const shards: IndexManifest['shards'] = [];
  const { dataset_id, team_id } = DATASET;
  for (let first = 0; first < texts.length; first += INDEX_SHARD_ROWS) {
    const n = shards.length;
    const lines = texts
      .slice(first, first + INDEX_SHARD_ROWS)
      .map((text, at) => `${JSON.stringify({ row: first + at, text })}\n`);
    objects.set(objectKeys.indexTexts(dataset_id, BUILD_ID, n), Buffer.from(lines.join('')));
    await indexShard(
      { ...asking, objects: store },
      { run_id: BUILD_ID, dataset_id, team_id, n, known: null },
    );
    const word_bytes = objects.get(objectKeys.indexWords(dataset_id, BUILD_ID, n))?.length ?? 0;
    shards.push({ n, rows: lines.length, word_bytes });
  }
  const manifest: IndexManifest = {
    version: 1,
    dataset_id,
    rows_of: RUN_ID,
    build_id: BUILD_ID,
    built_at: '2026-01-01T00:00:00.000Z',
    row_count: texts.length,
    embedding: { model: embedder.modelId, dimensions: DIMENSIONS },
    shards,
  };
  objects.set(objectKeys.indexManifest(dataset_id), Buffer.from(JSON.stringify(manifest)));
  return manifest;
}

type Ports = SearchDatasetsPorts & Parameters<typeof indexShard>[0];

/** The service with an in-memory store, optionally with the speed of S3. */
function portsOf(stored: Map<string, Buffer>, embedder: EmbeddingClient, paced: boolean): Ports {
  let freeAt = 0;
  const arrive = async (body: Buffer): Promise<Buffer> => {
    if (!paced) return body;
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + (1000 * body.length) / BYTES_PER_SECOND;
    await sleep(Math.max(FIRST_BYTE_MILLISECONDS, freeAt - now));
    // Bytes from the network are never shared with another reader.
    return Buffer.from(body);
  };
  const require = (key: string): Buffer => {
    const body = stored.get(key);
    if (body === undefined) throw new Error(`The object ${key} does not exist.`);
    return body;
  };
  const objects: Ports['objects'] = {
    head: async (key) => (stored.has(key) ? { bytes: 0, contentType: null, etag: '', modifiedMs: 0 } : null),
    read: async (key) => (stored.has(key) ? arrive(require(key)) : null),
    readRange: async (key, from, to) => arrive(require(key).subarray(from, to + 1)),
    write: async (key, body) => void stored.set(key, Buffer.from(body)),
  };
  return {
    objects,
    embedder,
    cache: new IndexCache(objects, Number.POSITIVE_INFINITY),
    datasets: { find: async () => DATASET },
    runs: { find: async () => null, listOfDataset: async () => [] },
    executions: { find: async () => 'missing', start: async () => {} },
    claims: { take: async () => true, isTaken: async () => false },
    callsMax: 1,
    outageSecondsMax: 1,
    clock: { now: Date.now, sleep: async () => {} },
    random: Math.random,
    watch: { rowDone: () => {} },
  };
}

async function search(ports: Ports, query: string): Promise<number[]> {
  const found = await searchDatasets(ports, {
    team_id: DATASET.team_id,
    dataset_ids: [DATASET.dataset_id],
    query,
    limit: HITS,
  });
  return found.map(({ row }) => row);
}

/** The same search as a full scan: each row's vector, and its term frequencies. */
class NaiveSearch {
  readonly #vectors: Float32Array;
  readonly #rows: { readonly counts: ReadonlyMap<string, number>; readonly length: number }[];

  constructor(texts: readonly string[], vectors: Float32Array) {
    this.#vectors = vectors;
    this.#rows = texts.map((text) => {
      const terms = termsOf(text);
      const counts = new Map<string, number>();
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      return { counts, length: terms.length };
    });
  }

  search(query: string, vector: Float32Array): number[] {
    const rows = this.#rows;
    const mean = rows.reduce((sum, { length }) => sum + length, 0) / rows.length;
    const words = new Float64Array(rows.length);
    for (const term of new Set(termsOf(query))) {
      const having = rows.reduce((sum, { counts }) => sum + (counts.has(term) ? 1 : 0), 0);
      const weight = Math.log(1 + (rows.length - having + 0.5) / (having + 0.5));
      for (const [n, { counts, length }] of rows.entries()) {
        const times = counts.get(term) ?? 0;
        if (times === 0) continue;
        words[n] =
          (words[n] as number) + (weight * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / mean));
      }
    }
    const meanings = new Float64Array(rows.length);
    for (let n = 0; n < rows.length; n += 1) {
      let sum = 0;
      for (let at = 0; at < DIMENSIONS; at += 1) {
        sum += (this.#vectors[n * DIMENSIONS + at] as number) * (vector[at] as number);
      }
      meanings[n] = sum;
    }
    const fused = new Map<number, number>();
    for (const scores of [meanings, words]) {
      const ranked = [...scores.keys()]
        .filter((row) => scores === meanings || (scores[row] as number) > 0)
        .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
      for (const [at, row] of ranked.slice(0, 100).entries())
        fused.set(row, (fused.get(row) ?? 0) + 1 / (61 + at));
    }
    return [...fused]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, HITS)
      .map(([row]) => row);
  }
}

/** Texts with a Zipf distribution: the n-th word has frequency 1/n. */
function zipfTexts(count: number, words: number, seed: number): string[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  const vocabulary = Math.log(200_000);
  return Array.from({ length: count }, () =>
    Array.from({ length: words }, () => `w${Math.floor(Math.exp(next() * vocabulary)).toString(36)}`).join(
      ' ',
    ),
  );
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

import { expect, test } from 'vitest';
import { functionName } from '#infra/names.ts';
import type { EmbeddingClient } from '#shared/models/decide/port.ts';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createDatasetSearch } from '#shared/responses/adapters/dataset-search.ts';
import { indexShard } from '#shared/responses/build-index.ts';
import { INDEX_SHARD_ROWS, IndexManifest } from '#shared/responses/decide/retrieval/index-manifest.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const ROWS = 100_000;
const WORDS = 90;
const COLD_MILLISECONDS_MAX = 3000;
const WARM_MILLISECONDS_MAX = 300;
const SEARCHES = 9;
const BUILD_ID = 'large';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const objects = createObjectStore(cloud.bucketName, createS3Client(true));

const ports = {
  objects,
  callsMax: 1,
  outageSecondsMax: 1,
  clock: createFastClock(10),
  random: () => 0.5,
  claims: { take: async () => true },
  watch: { rowDone: () => {} },
};

/** As many words as a language has, of which the n-th is as frequent as 1/n. */
function texts(count: number): string[] {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  const vocabulary = Math.log(200_000);
  const word = (): string => `w${Math.floor(Math.exp(next() * vocabulary)).toString(36)}`;
  return Array.from({ length: count }, () => Array.from({ length: WORDS }, word).join(' '));
}

/** The vectors of the scripted model, without a request for each text. */
async function embedderOfCloud(): Promise<EmbeddingClient> {
  const response = await fetch(`${cloud.modelUrl}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted-embedding', input: texts(64) }),
  });
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  const vectors = data.map(({ embedding }) => {
    const length = Math.hypot(...embedding);
    return Float32Array.from(embedding, (value) => value / length);
  });
  return {
    modelId: 'scripted-embedding',
    embed: async (asked) => asked.map((_, n) => vectors[n % vectors.length] as Float32Array),
  };
}

test('a hundred thousand rows are searched within three seconds at first, and within 300 ms from then on', async () => {
  const api = createApiClient(cloud.apiUrl, await admin.createKey('searching-much', '--credits', '10'));
  const teamId = (await admin.run('team', 'create', 'searching-much'))[0] ?? '';
  const row = JSON.stringify({ question: 'how do i do row-1', answer: 'do it' });
  const datasetId = await api.upload('much.jsonl', row);
  await api.untilRead(datasetId);
  await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
  expect(await api.untilEnded(datasetId)).toMatchObject({ status: 'succeeded' });
  const key = objectKeys.indexManifest(datasetId);
  await expect.poll(() => objects.head(key), { timeout: 60_000 }).not.toBeNull();

  // The index of the one row becomes one of many, made by the same code.
  const small = IndexManifest.parse(JSON.parse((await objects.read(key))?.toString('utf8') ?? ''));
  const embedder = await embedderOfCloud();
  const shards: IndexManifest['shards'] = [];
  const all = texts(ROWS);
  for (let first = 0; first < ROWS; first += INDEX_SHARD_ROWS) {
    const n = shards.length;
    const lines = all
      .slice(first, first + INDEX_SHARD_ROWS)
      .map((text, at) => `${JSON.stringify({ row: first + at, text })}\n`);
    await objects.write(objectKeys.indexTexts(datasetId, BUILD_ID, n), lines.join(''), 'application/jsonl');
    const context = { run_id: BUILD_ID, dataset_id: datasetId, team_id: teamId };
    await indexShard({ ...ports, embedder }, { ...context, n, known: null });
    const built = await objects.read(objectKeys.indexShard(datasetId, BUILD_ID, n));
    shards.push(IndexManifest.shape.shards.element.parse(JSON.parse(built?.toString('utf8') ?? '')));
  }
  const large: IndexManifest = { ...small, build_id: BUILD_ID, row_count: ROWS, shards };
  await objects.write(key, JSON.stringify(large), 'application/json');

  const search = createDatasetSearch(functionName('local', 'tasks/search/search-datasets'));
  const milliseconds: number[] = [];
  for (let n = 0; n <= SEARCHES; n += 1) {
    const startedAt = performance.now();
    const query = all[7 * n]?.slice(0, 60) ?? '';
    const found = await search.search(teamId, [datasetId], query, 10, AbortSignal.timeout(60_000));
    milliseconds.push(performance.now() - startedAt);
    expect(found).toHaveLength(10);
    expect(found.map(({ text }) => text)).toContain(all[7 * n]);
  }

  const [cold = Number.NaN, ...warm] = milliseconds;
  expect(cold).toBeLessThan(COLD_MILLISECONDS_MAX);
  expect(warm.toSorted((a, b) => a - b)[Math.floor(SEARCHES / 2)]).toBeLessThan(WARM_MILLISECONDS_MAX);
}, 600_000);

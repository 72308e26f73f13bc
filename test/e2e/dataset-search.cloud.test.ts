import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { functionName } from '#infra/names.ts';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createDatasetSearch } from '#shared/responses/adapters/dataset-search.ts';
import type { DatasetSearch, FoundRow } from '#shared/responses/decide/dataset-search.ts';
import { IndexManifest } from '#shared/responses/decide/retrieval/index-manifest.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const objects = createObjectStore(cloud.bucketName, createS3Client(true));
let search: DatasetSearch;
let api: ApiClient;
let teamId = '';
let datasetId = '';

beforeAll(async () => {
  search = createDatasetSearch(functionName('local', 'tasks/search/search-datasets'));
  await model.setScript({ judge: 'fair' });
  api = createApiClient(cloud.apiUrl, await admin.createKey('searching', '--credits', '1000'));
  teamId = (await admin.run('team', 'create', 'searching'))[0] ?? '';
  const rows = Array.from({ length: 60 }, (_, n) => ({
    question: `how do i open the valve number-${n} of a ${n === 41 ? 'zeppelin' : 'boiler'}`,
    answer: 'turn it',
  }));
  datasetId = await api.upload('valves.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  await api.untilRead(datasetId);
}, 120_000);

const find = (query: string, team = teamId): Promise<readonly FoundRow[]> =>
  search.search(team, [datasetId], query, 5, AbortSignal.timeout(60_000));

/** Waits out the building of the index, as a caller does. */
async function untilFound(query: string): Promise<readonly FoundRow[]> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(500)) {
    try {
      return await find(query);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'index_not_ready') throw error;
    }
  }
  throw new Error('The index was not built.');
}

const manifest = async (): Promise<IndexManifest | null> => {
  const body = await objects.read(objectKeys.indexManifest(datasetId));
  return body === null ? null : IndexManifest.parse(JSON.parse(body.toString('utf8')));
};

test('a dataset is refused until it is adapted, and its index is then built without a search', async () => {
  await expect(find('valve')).rejects.toMatchObject({ code: 'dataset_not_adapted' });
  const { run_id } = await api.adapt(datasetId, {
    column_mapping: { prompt: 'question', completion: 'answer' },
  });
  expect(await api.untilEnded(datasetId)).toMatchObject({ status: 'succeeded' });

  let built: IndexManifest | null = null;
  for (const deadline = Date.now() + 90_000; built === null && Date.now() < deadline; await sleep(300)) {
    built = await manifest();
  }

  expect(built).toMatchObject({
    rows_of: run_id,
    build_id: `${run_id}-index-1`,
    row_count: 60,
    embedding: { model: 'scripted-embedding', dimensions: 256 },
    shards: [{ n: 0, rows: 60 }],
  });
}, 240_000);

test('a search finds the row by its words and meaning, as the download has it, for its team alone', async () => {
  const found = await find('the valve number-41 of the zeppelin');

  const rows = await api.rows(datasetId);
  expect(found).toHaveLength(5);
  expect(found[0]).toMatchObject({ dataset_id: datasetId, row: 41, score: 1 });
  expect(found[0]?.text).toBe(`${rows[41]?.enhanced_prompt}\n\n${rows[41]?.enhanced_completion}`);
  await search.requireSearchable(teamId, [datasetId]);
  const refusal = { code: 'dataset_not_found', status: 404 };
  await expect(find('zeppelin', crypto.randomUUID())).rejects.toMatchObject(refusal);
  await expect(search.requireSearchable(crypto.randomUUID(), [datasetId])).rejects.toMatchObject(refusal);
}, 60_000);

test('an index that is missing is built by the search that finds none', async () => {
  await objects.remove([objectKeys.indexManifest(datasetId)]);
  await expect(search.requireSearchable(teamId, [datasetId])).rejects.toMatchObject({
    code: 'index_not_ready',
    status: 503,
    retryAfterSeconds: 15,
  });

  expect((await untilFound('zeppelin'))[0]?.row).toBe(41);
  expect((await manifest())?.build_id).toMatch(/-index-2$/);
}, 180_000);

test('the index goes with its dataset', async () => {
  await api.send('DELETE', `/api/v1/datasets/${datasetId}`);

  await expect(find('zeppelin')).rejects.toMatchObject({ code: 'dataset_not_found' });
  const left = async (): Promise<string[]> => {
    const keys: string[] = [];
    for (const prefix of [objectKeys.index(datasetId), objectKeys.indexPlans(datasetId)]) {
      for await (const key of objects.list(prefix)) keys.push(key);
    }
    return keys;
  };
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
}, 60_000);

import { beforeAll, expect, test } from 'vitest';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { IndexManifest } from '#shared/responses/decide/retrieval/index-manifest.ts';
import type { FileSearchCall, ModelResponse, OutputMessage } from '#shared/responses/schema/response.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { createSearchableDataset } from '#test/helpers/searchable-dataset.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const TEAM = 'citing';
const MODEL = 'stack:lamp-guide';
const ROW = 23;
let api: ApiClient;
let stranger: ApiClient;
let datasetId = '';

beforeAll(async () => {
  await controlScriptedModel(cloud.modelUrl).setScript({ judge: 'fair' });
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '1000'));
  stranger = createApiClient(cloud.apiUrl, await admin.createKey('citing-others', '--credits', '100'));
  const rows = Array.from({ length: 40 }, (_, n) => ({
    question: `how bright is lamp number-${n} of the ${n === ROW ? 'lighthouse' : 'corridor'}`,
    answer: 'bright enough',
  }));
  datasetId = await createSearchableDataset(api, 'lamps.jsonl', rows);
  const options = ['--team', TEAM, '--model', 'scripted', '--dataset', datasetId];
  expect(await admin.run('stack', 'put', 'lamp-guide', ...options)).toEqual([MODEL]);
}, 240_000);

const ask = (body: object, as = api) =>
  as.send<ModelResponse>('POST', '/api/v1/responses', {
    model: MODEL,
    input: 'the lamp number-23 of the lighthouse',
    tools: [{ type: 'file_search' }],
    ...body,
  });
const demanded = { tool_choice: { type: 'function', name: 'file_search' } };

const refusalOf = async (body: object, as = api) => {
  const { status, problem } = await ask(body, as);
  return [status, problem.code];
};

test('an answer that rests on a dataset cites dataset and row, whose text is that of the download', async () => {
  const tools = [{ type: 'file_search', max_num_results: 3 }];
  const { body } = await ask({ ...demanded, tools, include: ['file_search_call.results'] });

  expect(body).toMatchObject({ status: 'completed', model: MODEL });
  const [search, message] = body.output as [FileSearchCall, OutputMessage];
  const delivered = (await api.rows(datasetId)).map(
    (row) => `${row.enhanced_prompt}\n\n${row.enhanced_completion}`,
  );
  expect(search).toMatchObject({
    type: 'file_search_call',
    status: 'completed',
    queries: ['the lamp number-23 of the lighthouse'],
  });
  const results = search.results ?? [];
  expect(results).toHaveLength(3);
  expect(results[0]?.attributes).toEqual({ dataset_id: datasetId, row: ROW, passage: 1 });
  for (const { text, attributes } of results) expect(text).toBe(delivered[attributes.row]);

  const [said] = message.content;
  if (said?.type !== 'output_text') throw new Error('The answer has no text.');
  expect(said.text).toMatch(/^Tools said: \[1\] /);
  expect(said.text).toContain(delivered[ROW]);
  expect(said.annotations).toEqual(
    results.map(({ filename, attributes: { passage, ...row } }) => ({
      type: 'file_citation',
      file_id: datasetId,
      filename,
      index: said.text.indexOf(`[${passage}]`),
      ...row,
    })),
  );
});

test('an answer that rests on a dataset is none of another team’s dataset or stack', async () => {
  const tools = [{ type: 'file_search', dataset_ids: [datasetId] }];

  expect(await refusalOf({ model: 'scripted', tools }, stranger)).toEqual([404, 'dataset_not_found']);
  expect(await refusalOf({}, stranger)).toEqual([404, 'stack_not_found']);
});

test.each([
  ['a dataset', { type: 'file_search', dataset_ids: [crypto.randomUUID()] }],
  ['a tool server', { type: 'mcp', server_label: 'notes', server_url: cloud.toolServerUrl }],
  ['a hosted tool', { type: 'mcp', server_label: 'notes' }],
])('an answer that rests on a dataset uses no more than its stack permits: %s', async (_, tool) => {
  expect(await refusalOf({ tools: [tool] })).toEqual([403, 'tool_not_permitted']);
});

test('an answer that rests on a dataset fails where the search that it has to rest on finds nothing', async () => {
  const objects = createObjectStore(cloud.bucketName, createS3Client(true));
  const key = objectKeys.indexManifest(datasetId);
  const manifest = IndexManifest.parse(JSON.parse(String(await objects.read(key))));
  // What is built of rows without any text.
  await objects.write(key, JSON.stringify({ ...manifest, shards: [] }), 'application/json');

  const { body } = await ask(demanded);

  expect(body).toMatchObject({ status: 'failed', error: { code: 'ungrounded' } });
  expect(body.output.filter(({ type }) => type === 'message')).toEqual([]);
  expect((await ask({})).body.status).toBe('completed');
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STARTER_POOL } from '#bin/pool-file.ts';
import type { AugmentationStarted, AugmentRequest } from '#shared/growth/schema/augment.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundLedger } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const TEAM = 'augment';
let api: ApiClient;
let folder: string;

beforeAll(async () => {
  await model.setScript({ judge: 'fair' });
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '1000'));
  folder = await mkdtemp(join(tmpdir(), 'augment-'));
});
afterAll(() => rm(folder, { recursive: true }));

const STATUS_KINDS = ['', 'informational', 'successful', 'a redirection', 'a client error', 'a server error'];

/** More rows on a topic than the starter pool has, in the words of those that it has. */
const httpRows = Object.entries(STATUS_CODES).flatMap(([code, phrase]) => [
  {
    topic: 'http',
    prompt: `What does the HTTP status code ${code} mean?`,
    completion: `HTTP status ${code} is "${phrase}", which is ${STATUS_KINDS[Number(code[0])]}.`,
  },
  {
    topic: 'http',
    prompt: `Which HTTP status code has the reason phrase "${phrase}"?`,
    completion: `"${phrase}" is the reason phrase of HTTP status ${code}.`,
  },
]);

async function uploadRaw(rows: readonly { prompt: string; completion: string }[]): Promise<string> {
  const lines = rows.map(({ prompt, completion }, id) =>
    JSON.stringify({ id, question: prompt, answer: completion }),
  );
  const source = {
    processing_mode: 'raw',
    column_mapping: { prompt: 'question', completion: 'answer' },
  };
  const datasetId = await api.upload('rows.jsonl', `${lines.join('\n')}\n`, { source });
  await api.untilRead(datasetId);
  return datasetId;
}

const augment = (datasetId: string, body: AugmentRequest) =>
  api.send<AugmentationStarted>('POST', `/api/v1/datasets/${datasetId}/augment`, body);

test('an operator loads the starter pool and rows on a topic, and a dataset gets those that it has not', async () => {
  expect((await admin.run('pool', 'load')).at(-1)).toMatch(/^3\d{2} rows are in the pool\.$/);
  const path = join(folder, 'http.jsonl');
  await writeFile(path, httpRows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await admin.run('pool', 'load', path);
  const loads = await admin.run('pool', 'list');
  expect(loads).toHaveLength(3);
  const own = httpRows.slice(0, 40);
  const sourceId = await uploadRaw(own);
  const before = await api.rows(sourceId);

  const quote = (await augment(sourceId, { estimate: true })).body;
  const refused = (await augment(sourceId, {})).problem;
  const request = { domain_rows: 60, general_rows: 40, similar_rows: 5, idempotency_key: 'one' };
  const started = (await augment(sourceId, request)).body;
  const datasetId = started.dataset_id ?? '';
  const ended = await api.untilEnded(datasetId, 240);

  expect(quote).toMatchObject({ domain_rows: 19_960, general_rows: 8000, estimated_credits_consumed: 280 });
  expect([refused.statusCode, refused.code]).toEqual([400, 'nothing_to_add']);
  expect(refused.message).toContain('280 credits');
  expect(started).toMatchObject({ status: 'running', estimated_credits_consumed: 2, estimate: false });
  expect([ended.status, ended.error_data]).toEqual(['succeeded', null]);
  expect(await api.get(datasetId)).toMatchObject({
    kind: 'augmented',
    source_dataset_id: sourceId,
    row_count: 145,
    configured_column_mapping: { prompt: 'question', completion: 'answer' },
  });

  const rows = await api.rows(datasetId);
  expect(rows.slice(0, 40)).toEqual(
    before.map((row) => ({ ...row, augmentation_kind: null, augmentation_source: null })),
  );
  const added = rows.slice(40);
  const kinds = added.map((row) => row.augmentation_kind);
  expect(kinds).toEqual([
    ...Array(60).fill('domain'),
    ...Array(40).fill('general'),
    ...Array(5).fill('similar'),
  ]);
  expect(new Set(rows.map((row) => row.question)).size).toBe(145);
  const answers = new Map(httpRows.map((row) => [row.prompt, row.completion]));
  const onTopic = added.slice(0, 60).filter((row) => answers.has(String(row.question)));
  expect(onTopic.length).toBeGreaterThan(40);
  for (const row of onTopic) expect(row.answer).toBe(answers.get(String(row.question)));
  expect(added.slice(60, 100).filter((row) => answers.has(String(row.question)))).toEqual([]);
  expect(await api.rows(sourceId)).toEqual(before);

  const report = await api.report(datasetId);
  expect(report).toMatchObject({
    rows: { total: 40, kept: 40, expanded: 105, expansion_failed: 0 },
    credits: { reserved: 2, settled: 2 },
    models: { embed: 'scripted-embedding' },
  });
  expect(report.stages.map(({ name, rows_out }) => [name, rows_out])).toEqual([
    ['domain', 60],
    ['general', 40],
    ['similar', 5],
  ]);
  const replayed = (await augment(sourceId, request)).body;
  expect(replayed).toMatchObject({
    dataset_id: datasetId,
    status: 'succeeded',
    estimated_credits_consumed: 0,
  });
  const listed = await api.send<{ datasets: { dataset_id: string }[] }>(
    'GET',
    '/api/v1/datasets?type=augmented',
  );
  expect(listed.body.datasets.map(({ dataset_id }) => dataset_id)).toEqual([datasetId]);
  const load = loads.find((line) => line.includes('http.jsonl'))?.split(' ')[0] ?? '';
  await admin.run('pool', 'remove', load);
  await requireSoundLedger(admin, TEAM);
}, 300_000);

test('a pool of an operator’s own gives what it has, and only that is charged', async () => {
  const starterCount = (await readFile(STARTER_POOL, 'utf8')).trimEnd().split('\n').length;
  const path = join(folder, 'mine.csv');
  await writeFile(
    path,
    `q,good,bad\n${Array.from({ length: 12 }, (_, n) => `How is cake number ${n ** 3} baked?,Well ${n},Badly ${n}`).join('\n')}\n`,
  );
  await admin.run('pool', 'load', path, '--prompt', 'q', '--completion', 'good', '--rejected', 'bad');
  const sourceId = await uploadRaw(
    Array.from({ length: 9 }, (_, n) => ({
      prompt: `How is cake number ${n ** 3} baked?`,
      completion: 'Somehow.',
    })),
  );

  const started = (
    await augment(sourceId, { domain_rows: 3000, general_rows: 1000, training_type: 'preference_pairs' })
  ).body;
  const ended = await api.untilEnded(started.dataset_id ?? '', 240);

  expect([ended.status, started.pool_rows]).toEqual(['succeeded', starterCount + 12]);
  const { rows, credits } = await api.report(started.dataset_id ?? '');
  // All that there is, but the nine questions that the dataset has.
  expect(rows).toMatchObject({ kept: 9, expanded: starterCount + 3 });
  expect(credits).toEqual({ reserved: 40, settled: Math.ceil((starterCount + 3) / 100) });
  const added = (await api.rows(started.dataset_id ?? '')).slice(9);
  expect(added.filter((row) => /cake/.test(String(row.question))).map((row) => row.rejected)).toEqual(
    expect.arrayContaining(['Badly 9', 'Badly 10', 'Badly 11']),
  );
  await requireSoundLedger(admin, TEAM);
}, 300_000);

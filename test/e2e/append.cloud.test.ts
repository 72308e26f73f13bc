import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { RunQuote } from '#shared/adaptation/schema/adaptation.ts';
import type { VersionsPage } from '#shared/datasets/schema/version.ts';
import type { Append } from '#shared/ingest/schema/append.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** Appended rows on the deployed stacks: the state machine that waits, and the run that asks about the new rows alone. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const SETTINGS = {
  column_mapping: { prompt: 'question', completion: 'answer' },
  recipe_specification: { recipes: { prompt_rephrase: false } },
};

let api: ApiClient;
let datasetId: string;

const question = (n: number): string => `how do i fix item number ${n}`;
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ question: question(first + n), answer: 'go to shop' }));
const path = (rest: string) => `/api/v1/datasets/${datasetId}/${rest}`;
const append = async (body: object): Promise<Append> => {
  const answer = await api.send<Append>('POST', path('rows'), body);
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
};
const readAppend = async (id: string | null) => (await api.send<Append>('GET', path(`appends/${id}`))).body;

async function untilLanded(id: string | null): Promise<Append> {
  for (const deadline = Date.now() + 90_000; ; await sleep(300)) {
    const found = await readAppend(id);
    if (found.status !== 'pending') return found;
    if (Date.now() > deadline) throw new Error(`The append waits: ${JSON.stringify(found)}`);
  }
}

const balance = async (): Promise<number> =>
  (await api.send<{ balance: { available: number } }>('GET', '/api/v1/me')).body.balance.available;

beforeAll(async () => {
  await controlScriptedModel(cloud.modelUrl).setScript({ judge: 'fair' });
  api = createApiClient(cloud.apiUrl, await admin.createKey('appends', '--credits', '50'));
  const lines = rowsFrom(0, 120).map(({ question, answer }) => `${question},${answer}`);
  datasetId = await api.upload('rows.csv', `question,answer\n${lines.join('\n')}\n`);
  await api.untilRead(datasetId);
});

test('rows that are appended during a run land after it, and the next run bills them alone', async () => {
  const before = await balance();
  const first = await api.adapt(datasetId, SETTINGS);
  expect(first).toMatchObject({ estimatedCreditsConsumed: 2, version: 2 });
  const appended = await append({ rows: rowsFrom(120, 40) });
  const { body: opened } = await api.send<Append>('POST', path('rows'), { file: { name: 'more.csv' } });
  const lines = rowsFrom(160, 40).map(({ question, answer }) => `${answer},${question}`);
  const sent = await fetch(opened.upload_instructions?.url ?? '', {
    method: 'PUT',
    body: `answer,question\n${lines.join('\n')}\n`,
  });
  expect(sent.ok).toBe(true);
  const s3_key = opened.upload_instructions?.s3_key;
  const ofFile = await append({ s3_key });
  expect(await append({ s3_key })).toEqual(ofFile);

  const landed = await Promise.all([appended, ofFile].map(({ append_id }) => untilLanded(append_id)));
  expect(landed.map(({ status, error_data }) => [status, error_data])).toEqual([
    ['succeeded', null],
    ['succeeded', null],
  ]);
  expect(landed.map(({ version }) => version).sort()).toEqual([3, 4]);
  const { status, row_count } = await api.get(datasetId);
  expect([status, row_count]).toEqual(['pending', 200]);
  // Reads mean the newest finished version.
  expect(await api.rows(datasetId)).toHaveLength(120);
  expect(await balance()).toBe(before - 2);

  const { body: quote } = await api.send<RunQuote>('POST', path('adapt'), { ...SETTINGS, estimate: true });
  expect(quote).toMatchObject({ estimatedCreditsConsumed: 1, reused_rows: 120 });
  const second = await api.adapt(datasetId, SETTINGS);
  expect(second).toMatchObject({ version: 5 });
  expect((await api.untilEnded(datasetId)).status).toBe('succeeded');

  expect(await balance()).toBe(before - 3);
  const report = await api.report(datasetId);
  expect(report).toMatchObject({ reused_rows: 120 });
  const rows = await api.rows(datasetId);
  expect(rows.map(({ question }) => question).sort()).toEqual(
    rowsFrom(0, 200)
      .map(({ question }) => question)
      .sort(),
  );
  const { body: page } = await api.send<VersionsPage>('GET', path('versions'));
  expect(page.versions.map(({ version, made_by, status }) => [version, made_by, status])).toEqual([
    [5, 'adapt', 'succeeded'],
    [4, 'append', 'awaiting_input'],
    [3, 'append', 'awaiting_input'],
    [2, 'adapt', 'succeeded'],
    [1, 'ingest', 'awaiting_input'],
  ]);
});

test('a file that does not fit fails with its row and column, and the dataset stays as it is', async () => {
  const before = await api.get(datasetId);
  const { body: opened } = await api.send<Append>('POST', path('rows'), { file: { name: 'odd.jsonl' } });
  await fetch(opened.upload_instructions?.url ?? '', {
    method: 'PUT',
    body: '{"question":"Why?","answer":"So."}\n{"question":7,"answer":"So."}\n',
  });

  const failed = await untilLanded((await append({ s3_key: opened.upload_instructions?.s3_key })).append_id);

  expect(failed).toMatchObject({ status: 'failed', version: null, error_data: { code: 'schema_mismatch' } });
  const { updated_at: _a, ...rest } = await api.get(datasetId);
  const { updated_at: _b, ...was } = before;
  expect(rest).toEqual(was);
  const launch = await api.adapt(datasetId, { ...SETTINGS, estimate: true });
  expect(launch.estimate).toBe(true);
});

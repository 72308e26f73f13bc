import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { RunQuote } from '#shared/adaptation/schema/adaptation.ts';
import type { Append } from '#shared/ingest/schema/append.ts';
import type { Pilot, PilotLaunch } from '#shared/pilots/schema/pilot.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** Pilots on the deployed stacks: the state machine, the workers and the calibration of the judge. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const ROWS = 130;
const MAPPING = { prompt: 'question', completion: 'answer' };
const ARMS = [
  { name: 'As it is', recipe_specification: { recipes: { prompt_rephrase: false } } },
  { name: 'Extensive', brand_controls: { length: 'extensive' } },
];

let api: ApiClient;
let datasetId: string;

beforeAll(async () => {
  await model.setScript({ judge: 'fair' });
  api = createApiClient(cloud.apiUrl, await admin.createKey('pilots', '--credits', '50'));
  const lines = Array.from({ length: ROWS }, (_, n) => `how do i fix item number ${n},go to shop`);
  datasetId = await api.upload('careless.csv', `question,answer\n${lines.join('\n')}\n`);
  await api.untilRead(datasetId);
});

const pilots = () => `/api/v1/datasets/${datasetId}/pilots`;
const read = async (id: string): Promise<Pilot> => (await api.send<Pilot>('GET', `${pilots()}/${id}`)).body;

async function untilEnded(id: string, seconds = 150): Promise<Pilot> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const pilot = await read(id);
    if (pilot.status !== 'running') return pilot;
    if (Date.now() > deadline) throw new Error(`The pilot has not ended: ${JSON.stringify(pilot.progress)}`);
    await sleep(500);
  }
}

const balance = async (): Promise<number> =>
  (await api.send<{ balance: { available: number } }>('GET', '/api/v1/me')).body.balance.available;

test('a pilot compares its arms, and the run of the winner asks and bills only for the other rows', async () => {
  const before = await balance();
  const body = { column_mapping: MAPPING, arms: ARMS, sample_rows: 30 };
  const { body: launch } = await api.send<PilotLaunch>('POST', pilots(), body);
  expect(launch).toMatchObject({ estimated_credits: 1, sample_rows: 30 });

  const pilot = await untilEnded(launch.pilot_id ?? '');

  expect(pilot, JSON.stringify(pilot)).toMatchObject({ status: 'succeeded', credits_charged: 1 });
  expect(pilot.arms[0]).toMatchObject({ status: 'finished', rows: { done: 30, failed: 0 } });
  expect(pilot.arms[0]?.rows.changed).toBeGreaterThan(15);
  expect(pilot.arms[0]?.against_original?.better).toBeGreaterThan(15);
  expect(pilot.recommendation?.arm).not.toBeNull();
  expect(await balance()).toBe(before - 1);

  // 100 rows are left of 130.
  const { body: quote } = await api.send<RunQuote>('POST', `/api/v1/datasets/${datasetId}/adapt`, {
    pilot_id: pilot.pilot_id,
    estimate: true,
  });
  expect(quote.estimatedCreditsConsumed).toBe(1);
  const { body: run } = await api.send<RunQuote>('POST', `/api/v1/datasets/${datasetId}/adapt`, {
    pilot_id: pilot.pilot_id,
  });
  expect(run.run_id).not.toBeNull();
  expect((await api.untilEnded(datasetId)).status).toBe('succeeded');

  expect(await balance()).toBe(before - 2);
  const report = await api.report(datasetId);
  const rows = await api.rows(datasetId);
  expect(rows).toHaveLength(ROWS);
  const { changed = 0, kept = 0, failed } = report.rows ?? {};
  expect([changed + kept, failed]).toEqual([ROWS, 0]);
  expect(rows.every(({ enhanced_completion: answer }) => typeof answer === 'string' && answer !== '')).toBe(
    true,
  );

  // Rows that are appended then are asked about and billed alone: 100 of 230, those of the pilot are none of them.
  const settings = ARMS[(pilot.recommendation?.arm ?? 1) - 1];
  const { name: _, ...arm } = settings ?? { name: '' };
  const added = Array.from({ length: 100 }, (_, n) => ({
    question: `how do i fix item number ${ROWS + n}`,
    answer: 'go to shop',
  }));
  const { body: append } = await api.send<Append>('POST', `/api/v1/datasets/${datasetId}/rows`, {
    rows: added,
  });
  const landed = `/api/v1/datasets/${datasetId}/appends/${append.append_id}`;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(300)) {
    if ((await api.send<Append>('GET', landed)).body.status !== 'pending') break;
  }
  expect(await api.adapt(datasetId, { column_mapping: MAPPING, ...arm })).toMatchObject({
    estimatedCreditsConsumed: 1,
    reused_rows: ROWS,
  });
  expect((await api.untilEnded(datasetId)).status).toBe('succeeded');
  expect(await balance()).toBe(before - 3);
  expect(await api.report(datasetId)).toMatchObject({ reused_rows: ROWS });
});

test('a pilot that is cancelled ends within seconds, returns what it did not use, and frees its dataset', async () => {
  const before = await balance();
  const body = { column_mapping: MAPPING, arms: ARMS, sample_rows: 100 };
  const { body: launch } = await api.send<PilotLaunch>('POST', pilots(), body);
  const id = launch.pilot_id ?? '';
  expect((await api.send('POST', `${pilots()}`, body)).problem.code).toBe('pilot_running');

  expect((await api.send('POST', `${pilots()}/${id}/cancel`)).status).toBe(202);
  const pilot = await untilEnded(id, 60);

  expect(pilot).toMatchObject({ status: 'failed', error: { code: 'run_cancelled' }, recommendation: null });
  expect(await balance()).toBe(before - (pilot.credits_charged ?? 0));
  const { body: listed } = await api.send<{ items: Pilot[] }>('GET', pilots());
  expect(listed.items.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  expect((await api.send('DELETE', `/api/v1/datasets/${datasetId}`)).status).toBe(200);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InventedDataset } from '#shared/growth/schema/invent.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundLedger } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const TEAM = 'invent';
let api: ApiClient;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '200'));
});
afterAll(() => model.setScript({ judge: 'fair' }));

const invent = async (body: object): Promise<InventedDataset> =>
  (await api.send<InventedDataset>('POST', '/api/v1/datasets/invent', body)).body;

test('exactly the rows that were asked for are invented, over rounds and past failing calls', async () => {
  // Of some 130 candidates 30 repeat others, and each 40th call fails: a second round makes up for them.
  await model.setScript({
    judge: 'fair',
    inventions: 110,
    faults: [{ kind: 'garbage', from: 5, every: 40 }],
  });

  const { id, status } = await invent({
    rows: 100,
    domains: ['medical', 'cooking_food'],
    training_type: 'instruction_dataset',
  });
  expect(status).toBe('running');
  expect((await api.untilEnded(id ?? '', 300)).status).toBe('succeeded');

  const rows = await api.rows(id ?? '');
  const prompts = new Set(rows.map((row) => row.enhanced_prompt));
  expect([rows.length, prompts.size]).toEqual([100, 100]);
  const report = await api.report(id ?? '');
  expect(report.invention).toMatchObject({ requested: 100, accepted: 100, ended_by: 'rows' });
  expect(report.invention?.diversity).toMatchObject({ subdomains: 10, covered_subdomains: 10, coverage: 1 });
  expect(report.credits).toEqual({ reserved: 10, settled: 10 });
  await requireSoundLedger(admin, TEAM);
}, 600_000);

test('a dataset whose candidates are used up holds what there is, and is charged for that', async () => {
  await model.setScript({ judge: 'fair', inventions: 20 });

  const { id, estimated_credits: reserved } = await invent({
    rows: 120,
    dataset_prompt: 'Questions about baking and recipes for cooking',
    language_expansion: { type: 'translate', languages: ['es'], sample_rate: 0.5 },
  });
  expect((await api.untilEnded(id ?? '', 300)).status).toBe('succeeded');

  const report = await api.report(id ?? '');
  expect(report.invention).toMatchObject({
    accepted: 20,
    candidates: 390,
    candidates_max: 390,
    ended_by: 'candidates',
  });
  expect(report.rows).toMatchObject({ changed: 20, expanded: 10 });
  expect([reserved, report.credits]).toEqual([20, { reserved: 20, settled: 10 }]);
  expect((await api.get(id ?? '')).description).toMatch(/^20 of 120 rows/);
  expect(await api.rows(id ?? '')).toHaveLength(30);
  await requireSoundLedger(admin, TEAM);
}, 600_000);

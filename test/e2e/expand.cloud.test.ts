import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExpansionStarted } from '#shared/growth/schema/grow.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundLedger } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const TEAM = 'expand';
const ROWS = 220;
let api: ApiClient;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '100'));
});
afterAll(() => model.setScript({ judge: 'fair' }));

const csv = `id,question,answer\n${Array.from(
  { length: ROWS },
  (_, row) =>
    `${row},how do i do thing row-${row} with {tool},do it the row-${row} way as in \`run --all\`\n`,
).join('')}`;

test('a dataset grows into a new one, and only rows in the right language are added and paid for', async () => {
  await model.setScript({ judge: 'fair', untranslated: ['German'] });
  const sourceId = await api.upload('pairs.csv', csv, {
    source: { processing_mode: 'raw', column_mapping: { prompt: 'question', completion: 'answer' } },
  });
  await api.untilEnded(sourceId);
  const before = await api.download(sourceId, 'jsonl');
  const body = { languages: ['es', 'zh-Hant', 'de'], sample_rate: 1, idempotency_key: 'grow' };

  const started = await api.send<ExpansionStarted>('POST', `/api/v1/datasets/${sourceId}/translate`, body);
  const id = started.body.dataset_id ?? '';
  expect(started.body).toMatchObject({ estimated_new_rows: 660, estimated_credits_consumed: 7 });
  expect((await api.get(id)).run_id).not.toBeNull();
  const { status } = await api.untilEnded(id, 300);

  expect(status).toBe('succeeded');
  const report = await api.report(id);
  expect(report.rows).toMatchObject({ total: ROWS, expanded: 440, expansion_failed: 220 });
  expect(report.credits).toEqual({ reserved: 7, settled: 5 });
  expect(report.reported_rows[0]).toMatchObject({ code: 'wrong_language', target: { language: 'de' } });
  const rows = await api.rows(id);
  expect(rows).toHaveLength(660);
  const added = rows.slice(ROWS);
  const made = new Set(added.map((row) => `${row.expansion_source_row} ${row.expansion_language}`));
  expect(made.size).toBe(440);
  for (const row of added) {
    const source = row.expansion_source_row;
    expect(row.id).toBe(`${source}`);
    expect(row.question).toContain(`row-${source}`);
    expect(row.question).toContain('{tool}');
    expect(row.answer).toContain('`run --all`');
  }
  expect(await api.download(sourceId, 'jsonl')).toBe(before);
  expect(
    (await api.send<ExpansionStarted>('POST', `/api/v1/datasets/${sourceId}/translate`, body)).body,
  ).toEqual({
    dataset_id: id,
    status: 'succeeded',
    estimated_credits_consumed: 0,
    estimate: false,
    estimated_new_rows: 0,
  });
  await requireSoundLedger(admin, TEAM);
}, 600_000);

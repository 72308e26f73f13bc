import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundLedger } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const TEAM = 'expansion';
const ROWS = 60;
let api: ApiClient;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '100'));
});
afterAll(() => model.setScript({ judge: 'fair' }));

const csv = `id,question,answer\n${Array.from(
  { length: ROWS },
  (_, row) => `${row},how do i do thing row-${row} with {tool},do it row-${row} way as in \`run --all\`\n`,
).join('')}`;

interface Added {
  readonly id: string;
  readonly question: string;
  readonly enhanced_prompt: string;
  readonly enhanced_completion: string;
  readonly expansion_language: string;
  readonly expansion_country: string | null;
  readonly expansion_source_row: number;
}

test('a run adds rows in other languages, checks each, and pays for what it delivers', async () => {
  await model.setScript({ judge: 'fair' });
  const datasetId = await api.upload('pairs.csv', csv);
  await api.untilRead(datasetId);
  const body = {
    column_mapping: { prompt: 'question', completion: 'answer' },
    recipe_specification: { recipes: { prompt_rephrase: false } },
    language_expansion: { type: 'translate', languages: ['ES', 'zh', 'zh-Hant', 'sw'], sample_rate: 0.5 },
  };

  const quote = await api.adapt(datasetId, body);
  const progress: number[] = [];
  const shown = async (): Promise<void> => {
    const { progress: now } = await api.get(datasetId);
    if (now?.processed_rows !== undefined) progress.push(now.processed_rows);
    expect(now?.total_rows ?? 180).toBe(180);
  };
  await shown();
  const { status } = await api.untilEnded(datasetId, 240);

  expect([quote.estimatedCreditsConsumed, status]).toEqual([2, 'succeeded']);
  expect((await api.get(datasetId)).row_count).toBe(180);
  const report = await api.report(datasetId);
  expect(report.rows).toMatchObject({ total: ROWS, failed: 0, expanded: 120, expansion_failed: 0 });
  expect(report.credits).toEqual({ reserved: 2, settled: 2 });
  expect(report.stages.map(({ name }) => name)).toEqual(['adapt', 'expand']);
  const unsure = report.reported_rows.filter(({ code }) => code === 'language_unverified');
  expect(unsure.map(({ target }) => target?.language)).toEqual(Array.from({ length: 30 }, () => 'sw'));

  const rows = (await api.rows(datasetId)) as unknown as Added[];
  expect(rows.slice(0, ROWS).map(({ id }) => id)).toEqual(Array.from({ length: ROWS }, (_, row) => `${row}`));
  const added = rows.slice(ROWS);
  const places = added.map((row) => row.expansion_source_row);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  for (const language of ['es', 'zh-Hans', 'zh-Hant', 'sw']) {
    expect(added.filter((row) => row.expansion_language === language)).toHaveLength(30);
  }
  for (const row of added) {
    const source = row.expansion_source_row;
    expect([row.id, row.expansion_country]).toEqual([`${source}`, null]);
    expect(row.question).toContain(`row-${source}`);
    expect(row.enhanced_prompt).toContain(`row-${source}`);
    expect(row.enhanced_prompt).toContain('{tool}');
    expect(row.enhanced_completion).toContain('`run --all`');
    expect(row.enhanced_prompt).toMatch(/español|中文|Kiswahili/);
  }
  expect(JSON.parse(await api.download(datasetId, 'json'))).toHaveLength(180);
  expect((await api.download(datasetId, 'csv')).split('\n')[0]).toMatch(
    /expansion_language,expansion_country,expansion_source_row\r?$/,
  );

  // Omitted, the expansion is kept and executed again; what comes back in the wrong language is asked for again,
  // reported, and neither delivered nor billed.
  await model.setScript({ judge: 'fair', untranslated: ['Spanish'] });
  const { language_expansion: _, ...again } = body;
  expect((await api.adapt(datasetId, again)).estimatedCreditsConsumed).toBe(2);
  expect((await api.untilEnded(datasetId, 240)).status).toBe('succeeded');
  const second = await api.report(datasetId);
  expect(second.rows).toMatchObject({ expanded: 90, expansion_failed: 30 });
  const failed = second.reported_rows.filter(({ outcome }) => outcome === 'expansion_failed');
  expect(failed.map(({ code, target }) => [code, target?.language, target?.country])).toEqual(
    Array.from({ length: 30 }, () => ['wrong_language', 'es', null]),
  );
  expect((await api.get(datasetId)).row_count).toBe(150);
  expect(await api.rows(datasetId)).toHaveLength(150);
  await requireSoundLedger(admin, TEAM);
}, 600_000);

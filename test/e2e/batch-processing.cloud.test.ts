import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until } from '#test/helpers/cloud-runs.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundEnd, requireSoundLedger, uploadRows } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const TEAM = 'batching';
const ROWS = 120;
const BATCHED = {
  column_mapping: { prompt: 'question', completion: 'answer' },
  job_specification: { processing: 'batch' },
};
let api: ApiClient;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '100'));
});
afterAll(() => model.setScript({ judge: 'fair' }));

test('a run in batch jobs makes its calls in them, falls back where one expires, and costs half', async () => {
  await model.setScript({ judge: 'fair', batches: { expiresAfter: ROWS / 2 } });
  const datasetId = await uploadRows(api, 'batched', ROWS);

  const quote = await api.adapt(datasetId, BATCHED);
  const status = await api.untilEnded(datasetId, 110);
  const report = await api.report(datasetId);

  expect(quote.estimatedCreditsConsumed).toBe(1);
  expect(status).toMatchObject({ status: 'succeeded', error_data: null });
  expect(report.rows).toMatchObject({ total: ROWS, changed: ROWS });
  expect((await api.rows(datasetId)).map(({ id }) => Number(id))).toEqual(
    Array.from({ length: ROWS }, (_, n) => n),
  );
  expect(report.credits).toEqual({ reserved: 1, settled: 1 });
  expect(report.batched?.calls).toBeGreaterThanOrEqual(ROWS / 2);
  const { batches, byRow } = await model.stats();
  const own = batches.filter(({ name }) => name.startsWith(`${report.run_id}-`));
  expect(own.length).toBeGreaterThan(0);
  expect(own[0]).toMatchObject({ status: 'expired', calls: ROWS, answered: ROWS / 2 });
  expect(Object.keys(byRow).length).toBeGreaterThan(0);
  await requireSoundLedger(admin, TEAM);
}, 120_000);

test('a cancelled run has its batch job cancelled, and bills nothing that is not done', async () => {
  await model.setScript({ judge: 'fair', batches: { delayMilliseconds: 3_600_000 } });
  const datasetId = await uploadRows(api, 'cancelled', 10);
  const { run_id: runId } = await api.adapt(datasetId, BATCHED);
  const jobOf = async () =>
    (await model.stats()).batches.find(({ name }) => name.startsWith(`${runId}-`)) ?? null;
  await until('the batch job', jobOf);

  expect((await api.send('POST', `/api/v1/datasets/${datasetId}/cancel`)).status).toBeLessThan(300);
  const { status, report } = await requireSoundEnd(api, datasetId, 10);
  await until('its cancellation', async () => {
    const found = await jobOf();
    return found?.status === 'cancelling' || found?.status === 'cancelled' ? found : null;
  });

  expect(status).toMatchObject({ status: 'failed', error_data: { code: 'run_cancelled' } });
  expect(report.credits).toEqual({ reserved: 1, settled: 0 });
  await requireSoundLedger(admin, TEAM);
}, 120_000);

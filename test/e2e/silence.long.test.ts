import { expect, test } from 'vitest';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundEnd, requireSoundLedger, uploadRows } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const TEAM = 'silence';

test('a model that falls silent for good fails the run, which delivers and bills what was done before', async () => {
  const admin = createCloudAdmin(cloud);
  const model = controlScriptedModel(cloud.modelUrl);
  const api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '10'));
  const datasetId = await uploadRows(api, 'silent', 120, 60);
  await model.setScript({ judge: 'fair', faults: [{ kind: 'never', contains: 'silent-late' }] });
  try {
    await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
    const { status, counts, report } = await requireSoundEnd(api, datasetId, 120);
    expect(status).toMatchObject({ status: 'failed', error_data: { code: 'model_unavailable' } });
    expect(counts).toMatchObject({ changed: 60, failed: 60 });
    expect(report.credits).toEqual({ reserved: 2, settled: 1 });
    await requireSoundLedger(admin, TEAM);
  } finally {
    await model.setScript({ judge: 'fair' });
  }
});

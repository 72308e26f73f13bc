import { expect, test } from 'vitest';
import type { CustomEval } from '#shared/judging/schema/custom-eval.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until } from '#test/helpers/cloud-runs.ts';
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

test('a custom evaluation whose judge falls silent fails, says so, and leaves the dataset as it was', async () => {
  const admin = createCloudAdmin(cloud);
  const model = controlScriptedModel(cloud.modelUrl);
  const api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '10'));
  const judge_prompt = 'Score from 0 to 10: ten for an answer in steps, zero for one that only says that.';
  await model.setScript({ judge: 'fair', faults: [{ kind: 'status', status: 503, contains: judge_prompt }] });
  try {
    const datasetId = await uploadRows(api, 'judged', 60, 0);
    await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
    expect(await api.untilEnded(datasetId)).toMatchObject({ status: 'succeeded' });
    const path = `/api/v1/datasets/${datasetId}/custom-evals`;
    const { custom_eval_id } = (await api.send<CustomEval>('POST', path, { judge_prompt })).body;

    // A worker waits out five outages of the model before the evaluation fails.
    const ended = await until(
      'the end of the evaluation',
      async () => {
        const { body } = await api.send<CustomEval>('GET', `${path}/${custom_eval_id}`);
        return body.status === 'failed' || body.status === 'succeeded' ? body : null;
      },
      240,
    );

    expect(ended).toMatchObject({ status: 'failed', score_after: null, completed_at: expect.any(String) });
    expect(ended.error_message).toContain('The judge model stopped answering');
    expect(await api.get(datasetId)).toMatchObject({ status: 'succeeded', error_data: null });
  } finally {
    await model.setScript({ judge: 'fair' });
  }
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CustomEval } from '#shared/judging/schema/custom-eval.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
let api: ApiClient;
let datasetId = '';

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey('rubrics', '--credits', '1000'));
  await model.setScript({ judge: 'fair' });
  // 60 rows, of which 40 are the sample: two pieces, so two workers.
  const rows = Array.from({ length: 60 }, (_, n) => ({ question: `how do i do row-${n}`, answer: 'do it' }));
  datasetId = await api.upload('rubrics.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  await api.untilRead(datasetId);
  await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
  expect(await api.untilEnded(datasetId)).toMatchObject({ status: 'succeeded' });
}, 180_000);
afterAll(() => model.setScript({ judge: 'fair' }));

const path = () => `/api/v1/datasets/${datasetId}/custom-evals`;
const judge_prompt = 'Score from 0 to 10: ten for an answer in steps, zero for one that only says that.';

async function untilEnded(id: string): Promise<CustomEval> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; ) {
    const { body } = await api.send<CustomEval>('GET', `${path()}/${id}`);
    if (body.status === 'succeeded' || body.status === 'failed') return body;
    await sleep(300);
  }
  throw new Error(`The evaluation ${id} did not end.`);
}

test('a rubric scores the whole sample of an evaluation, before and after, and is listed', async () => {
  const started = (await api.send<CustomEval>('POST', path(), { judge_prompt, name: 'Steps' })).body;
  expect(started).toMatchObject({ status: 'pending', dataset_id: datasetId, name: 'Steps' });

  const ended = await untilEnded(started.custom_eval_id);

  expect(ended).toMatchObject({ status: 'succeeded', scored_rows: 40, error_message: null });
  expect(ended.score_after).toBeGreaterThan(ended.score_before ?? 10);
  expect((await api.send<{ items: CustomEval[] }>('GET', path())).body.items).toEqual([ended]);
}, 120_000);

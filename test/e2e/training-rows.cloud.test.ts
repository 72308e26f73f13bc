import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until } from '#test/helpers/cloud-runs.ts';
import { type ScriptedTrainer, startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const TEAM = 'training-rows';
const ROWS = 40;
const ADDED = 30;
/** Those of them that are for the domain. */
const DOMAIN = 5;
let api: ApiClient;
let trainer: ScriptedTrainer;

beforeAll(async () => {
  await admin.run('voucher', 'create', 'QUARTER', '--percent', '25', '--uses', '1');
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--credits', '100'));
  trainer = startScriptedTrainer(cloud);
});

afterAll(() => trainer.stop());

const uploadRaw = async (): Promise<string> => {
  const lines = Array.from({ length: ROWS }, (_, n) =>
    JSON.stringify({ question: `How does HTTP caching treat header ${n ** 3}?`, answer: `As ${n}.` }),
  );
  const source = {
    processing_mode: 'raw',
    column_mapping: { prompt: 'question', completion: 'answer' },
  };
  const datasetId = await api.upload('rows.jsonl', `${lines.join('\n')}\n`, { source });
  await api.untilEnded(datasetId);
  return datasetId;
};

const train = async (body: object): Promise<TrainingRun> => {
  const { id } = (await api.send<TrainingRun>('POST', '/api/v1/autoscientist', body)).body;
  return until(`the end of training ${id}`, async () => {
    const run = (await api.send<TrainingRun>('GET', `/api/v1/autoscientist/${id}`)).body;
    return ['succeeded', 'failed', 'cancelled'].includes(run.status) ? run : null;
  });
};

/** What a run reserved, and what it was billed. */
async function holdOf(runId: string): Promise<string[]> {
  const held = await admin.run('holds', 'list', '--team', TEAM, '--all');
  return (held.find((line) => line.includes(runId)) ?? '').split(/ {2,}/).slice(2, 5);
}

test('rows that are added are trained on, paid for with the training alone, and shown as a dataset', async () => {
  const datasetId = await uploadRaw();

  const run = await train({
    dataset_id: datasetId,
    augmentation_domain_rows: DOMAIN,
    augmentation_general_rows: ADDED - DOMAIN,
    voucher: 'QUARTER',
  });

  expect([run.status, run.error]).toEqual(['succeeded', null]);
  const [job] = trainer.jobs.filter(({ experiment_id }) => experiment_id === run.id);
  expect((job?.data.train_rows ?? 0) + (job?.data.held_out_rows ?? 0)).toBe(ROWS + ADDED);
  // Ten credits for the thirty rows, of which the voucher takes a quarter.
  expect(await holdOf(run.id)).toEqual(['8', 'settled', '8']);
  const { datasets } = (
    await api.send<{ datasets: { dataset_id: string; name: string; row_count: number }[] }>(
      'GET',
      `/api/v1/datasets?q=${run.id}`,
    )
  ).body;
  expect(datasets).toMatchObject([{ row_count: ROWS + ADDED }]);
  const rows = await api.rows(datasets[0]?.dataset_id ?? '');
  expect(rows.filter(({ augmentation_kind: kind }) => kind === 'similar')).toHaveLength(DOMAIN);
  expect(rows.filter(({ augmentation_kind: kind }) => kind === 'general')).toHaveLength(ADDED - DOMAIN);
  expect(await admin.ledgerFaults(TEAM)).toEqual([]);
  const again = await api.send('POST', '/api/v1/autoscientist', {
    dataset_id: datasetId,
    voucher: 'QUARTER',
  });
  expect(again.problem).toMatchObject({ code: 'voucher_invalid', details: [{ path: 'voucher' }] });
}, 240_000);

test('a model goes with the dataset that it was trained on', async () => {
  const datasetId = await uploadRaw();
  const { id } = await train({ dataset_id: datasetId, max_iterations: 1 });
  const artifact = () => api.send('GET', `/api/v1/autoscientist/${id}/download`);
  expect((await artifact()).status).toBe(200);

  expect((await api.send('DELETE', `/api/v1/datasets/${datasetId}`)).status).toBe(200);

  await until('the removal of the model', async () => ((await artifact()).status === 404 ? true : null));
  expect((await artifact()).problem.code).toBe('training_not_found');
}, 120_000);

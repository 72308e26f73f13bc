import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeAll, expect, test } from 'vitest';
import type { Publication, PublishJob } from '#shared/publishing/schema/publication.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until } from '#test/helpers/cloud-runs.ts';
import { HUB_TOKEN } from '#test/helpers/hub-repositories.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** Publishing by the deployed stacks to a stand-in for the hub, which the hub's own Python client finds faithful. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const ROWS = 12;

/** An adapter, to whoever copies its files. */
const ADAPTER = {
  'adapter_config.json': '{"peft_type": "LORA"}',
  'adapter_model.safetensors': randomBytes(3000),
  'tokenizer.json': '{"model": {}}',
  'training_report.json': '{"answers_key": "inside"}',
};

let api: ApiClient;
let datasetId: string;
let experimentId: string;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey('publishers', '--credits', '50'));
  const lines = Array.from({ length: ROWS }, (_, n) => `how do i fix item number ${n},go to shop`);
  datasetId = await api.upload('items.csv', `question,answer\n${lines.join('\n')}\n`);
  await api.untilRead(datasetId);
  await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
  await api.untilEnded(datasetId, 120);
  experimentId = await train();
});

/** Trains a model on other rows, whose adapter is that above; returns the id of the training. */
async function train(): Promise<string> {
  const lines = Array.from({ length: 60 }, (_, n) => `What is item ${n}?,It is item ${n}.`);
  const trained = await api.upload('train.csv', `question,answer\n${lines.join('\n')}\n`, {
    source: { processing_mode: 'raw', column_mapping: { prompt: 'question', completion: 'answer' } },
  });
  await api.untilEnded(trained);
  const trainer = startScriptedTrainer(cloud);
  try {
    trainer.script({ does: 'complete', wins: 15, files: ADAPTER });
    const { body } = await api.send<TrainingRun>('POST', '/api/v1/autoscientist', {
      dataset_id: trained,
      max_iterations: 1,
    });
    return await until('the end of the training', async () => {
      const { body: run } = await api.send<TrainingRun>('GET', `/api/v1/autoscientist/${body.id}`);
      return run.status === 'succeeded' ? run.id : null;
    });
  } finally {
    await trainer.stop();
  }
}

const route = () => `/api/v1/datasets/${datasetId}/publish`;
const modelRoute = () => `/api/v1/autoscientist/${experimentId}/publish`;
const body = { target: 'huggingface', target_spec: { repo_name: 'items', license: 'cc-by-4.0' } };

const modelBody = { target: 'huggingface', target_spec: { repo_name: 'model', license: 'apache-2.0' } };

async function publish(at = route(), sent: object = body): Promise<Publication> {
  const started = await api.send<PublishJob>('POST', at, sent);
  expect(started).toMatchObject({ status: 202, body: { status: 'queued' } });
  for (const deadline = Date.now() + 120_000; ; ) {
    const { body: publication } = await api.send<Publication>('GET', `${at}/${started.body.publish_id}`);
    if (publication.status === 'succeeded' || publication.status === 'failed') return publication;
    expect(Date.now(), publication.status).toBeLessThan(deadline);
    await sleep(300);
  }
}

/** What a script prints last that looks at what was published with the hub’s own client. */
async function runAtHub(script: string, repository: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tunesmith-hub-'));
  try {
    const { code, output } = await runPython([script, repository], {
      HF_ENDPOINT: cloud.hub.huggingFaceUrl,
      HF_TOKEN: HUB_TOKEN,
      HF_HOME: folder,
    });
    expect(code, output).toBe(0);
    return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('without a connection of the team the answer is 501', async () => {
  expect((await api.send('POST', route(), body)).status).toBe(501);
  expect((await api.send('POST', modelRoute(), modelBody)).status).toBe(501);
});

test('rows are published once, and the hub’s own client and `datasets` load what a download has', async () => {
  const secrets = new SecretsManagerClient({ endpoint: cloud.endpoint, region: 'us-east-1' });
  const [teamId = ''] = await admin.run('team', 'create', 'publishers');
  await secrets.send(
    new CreateSecretCommand({
      Name: `tunesmith/local/connections/${teamId}/huggingface`,
      SecretString: HUB_TOKEN,
    }),
  );

  const url = `${cloud.hub.huggingFaceUrl}/datasets/acme/items`;
  expect(await publish()).toMatchObject({
    status: 'succeeded',
    repository: 'acme/items',
    private: true,
    progress_percent: 100,
    url,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect((await api.send('GET', `/api/v1/datasets/${datasetId}/export-links`)).body).toMatchObject({
    huggingface: url,
    kaggle: null,
  });
  expect(await publish()).toMatchObject({ status: 'succeeded', commit: null });

  const loaded = await runAtHub('test/e2e/hub_client.py', 'acme/items');
  const downloaded = (await api.download(datasetId, 'jsonl')).split('\n').filter((line) => line !== '');
  expect(loaded.rows).toEqual(downloaded.map((line) => JSON.parse(line)));
  expect(loaded.rows).toHaveLength(ROWS);
  expect(loaded.files).toEqual(['README.md', 'data/train-00000-of-00001.parquet', 'tunesmith.json']);
  expect(loaded.card).toMatchObject({
    pretty_name: 'items.csv',
    license: 'cc-by-4.0',
    configs: [{ config_name: 'default' }],
  });
  expect(loaded.text).toMatch(/\| These rows \| [A-E] \|/);
});

test('a model is published once, and the hub’s own client gives back its files', async () => {
  const modelUrl = `${cloud.hub.huggingFaceUrl}/acme/model`;
  expect(await publish(modelRoute(), modelBody)).toMatchObject({
    status: 'succeeded',
    message: 'The model is published.',
    repository: 'acme/model',
    private: true,
    url: modelUrl,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(await publish(modelRoute(), modelBody)).toMatchObject({ status: 'succeeded', commit: null });

  const { files, card, text } = await runAtHub('test/e2e/hub_model_client.py', 'acme/model');
  const { 'training_report.json': _, ...kept } = ADAPTER;
  expect(Object.keys(files).sort()).toEqual([...Object.keys(kept), 'README.md', 'tunesmith.json'].sort());
  for (const [path, content] of Object.entries(kept)) {
    expect(files[path]).toBe(Buffer.from(content).toString('hex'));
  }
  expect(card).toMatchObject({
    base_model: 'HuggingFaceTB/SmolLM2-135M-Instruct',
    library_name: 'peft',
    license: 'apache-2.0',
  });
  expect(text).toMatch(/\| 1, published \| 75\.0 % \| [\d.]+ % to [\d.]+ % \|/);
});

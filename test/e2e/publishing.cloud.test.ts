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
import { KAGGLE_KEY, KAGGLE_OWNER, KAGGLE_TOKEN } from '#test/helpers/kaggle-datasets.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { startScriptedHub } from '#test/helpers/scripted-hub.ts';
import { startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** Publishing by the deployed stacks to stand-ins for the platforms, which their own Python clients find faithful. */
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
const toKaggle = { target: 'kaggle', target_spec: { repo_name: 'items-of-shops', license: 'cc-by-4.0' } };

async function connect(provider: string, secret: string): Promise<void> {
  const secrets = new SecretsManagerClient({ endpoint: cloud.endpoint, region: 'us-east-1' });
  const [teamId = ''] = await admin.run('team', 'create', 'publishers');
  await secrets.send(
    new CreateSecretCommand({
      Name: `tunesmith/local/connections/${teamId}/${provider}`,
      SecretString: secret,
    }),
  );
}

async function downloadedRows(): Promise<unknown[]> {
  const lines = (await api.download(datasetId, 'jsonl')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

const modelBody = { target: 'huggingface', target_spec: { repo_name: 'model', license: 'apache-2.0' } };

async function publish(sent: object = body, at = route()): Promise<Publication> {
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
  expect((await api.send('POST', route(), toKaggle)).status).toBe(501);
  expect((await api.send('POST', modelRoute(), modelBody)).status).toBe(501);
});

test('rows are published once, and the hub’s own client and `datasets` load what a download has', async () => {
  await connect('huggingface', HUB_TOKEN);

  const url = `${cloud.hub.huggingFaceUrl}/datasets/acme/items`;
  expect(await publish(body)).toMatchObject({
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
  expect(await publish(body)).toMatchObject({ status: 'succeeded', commit: null });

  const loaded = await runAtHub('test/e2e/hub_client.py', 'acme/items');
  expect(loaded.rows).toEqual(await downloadedRows());
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
  expect(await publish(modelBody, modelRoute())).toMatchObject({
    status: 'succeeded',
    message: 'The model is published.',
    repository: 'acme/model',
    private: true,
    url: modelUrl,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(await publish(modelBody, modelRoute())).toMatchObject({ status: 'succeeded', commit: null });

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

test('rows are published to Kaggle once, and its own client downloads what a download has', async () => {
  await connect('kaggle', `${KAGGLE_OWNER}:${KAGGLE_KEY}`);

  const url = `${cloud.hub.kaggleUrl}/datasets/acme/items-of-shops`;
  expect(await publish(toKaggle)).toMatchObject({
    status: 'succeeded',
    repository: 'acme/items-of-shops',
    private: true,
    progress_percent: 100,
    url,
    commit: '1',
  });
  expect((await api.send('GET', `/api/v1/datasets/${datasetId}/export-links`)).body).toMatchObject({
    huggingface: expect.any(String),
    kaggle: url,
  });
  expect(await publish(toKaggle)).toMatchObject({ status: 'succeeded', commit: null });

  const published = await runKaggleClient(cloud.hub.kaggleUrl, ['acme/items-of-shops']);
  expect(published.rows).toEqual(await downloadedRows());
  expect(published.files).toEqual(['README.md', 'train-00000-of-00001.parquet', 'tunesmith.json']);
  expect(published.metadata).toMatchObject({ isPrivate: true, licenses: [{ name: 'CC-BY-4.0' }] });
  expect(published.card).toBe(published.metadata.description);
  expect(published.card).toMatch(/^# items\\.csv\n[\s\S]*\| These rows \| [A-E] \|/);

  // It is imported like any other dataset of Kaggle.
  const source = { url, files: ['train-00000-of-00001.parquet'] };
  const { body: created } = await api.send<{ dataset_id: string }>('POST', '/api/v1/datasets', { source });
  expect(await api.untilRead(created.dataset_id)).toMatchObject({ row_count: ROWS });
});

test.each([
  ['a key', { KAGGLE_USERNAME: KAGGLE_OWNER, KAGGLE_KEY }],
  ['a token', { KAGGLE_API_TOKEN: KAGGLE_TOKEN }],
])(
  'with %s Kaggle’s own client downloads from the stand-in what it uploaded, over broken connections',
  async (_, credential) => {
    const hub = await startScriptedHub();
    hub.kaggleDatasets.compressFrom(100_000);
    // The client takes files in any order, so each of them is large.
    hub.kaggleDatasets.fail(
      { on: 'PUT /storage/', times: 1, cutAfter: 50_000 },
      { on: 'PUT /storage/', times: 1, status: 503 },
    );
    try {
      expect(await runKaggleClient(hub.kaggleUrl, [], credential)).toEqual({
        title: 'By the client',
        description: 'New.',
        isPrivate: true,
        licenses: [{ name: 'CC0-1.0' }],
      });
      expect(hub.kaggleDatasets.uploaded.slice(0, 2).map(([, bytes]) => bytes)).toEqual([50_000, 150_000]);
    } finally {
      await hub.close();
    }
  },
);

async function runKaggleClient(
  kaggleUrl: string,
  args: readonly string[],
  credential: Readonly<Record<string, string>> = { KAGGLE_USERNAME: KAGGLE_OWNER, KAGGLE_KEY },
) {
  const folder = await mkdtemp(join(tmpdir(), 'tunesmith-kaggle-'));
  try {
    const { code, output } = await runPython(['test/e2e/kaggle_client.py', ...args], {
      KAGGLE_STAND_IN: kaggleUrl,
      KAGGLE_CONFIG_DIR: folder,
      HOME: folder,
      TMPDIR: folder,
      ...credential,
    });
    expect(code, output).toBe(0);
    return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

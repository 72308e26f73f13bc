import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeAll, expect, test } from 'vitest';
import type { Publication, PublishJob } from '#shared/publishing/schema/publication.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { HUB_TOKEN } from '#test/helpers/hub-repositories.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** Publishing by the deployed stacks to a stand-in for the hub, which the hub's own Python client finds faithful. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const ROWS = 12;

let api: ApiClient;
let datasetId: string;

beforeAll(async () => {
  api = createApiClient(cloud.apiUrl, await admin.createKey('publishers', '--credits', '50'));
  const lines = Array.from({ length: ROWS }, (_, n) => `how do i fix item number ${n},go to shop`);
  datasetId = await api.upload('items.csv', `question,answer\n${lines.join('\n')}\n`);
  await api.untilRead(datasetId);
  await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
  await api.untilEnded(datasetId, 120);
});

const route = () => `/api/v1/datasets/${datasetId}/publish`;
const body = { target: 'huggingface', target_spec: { repo_name: 'items', license: 'cc-by-4.0' } };

async function publish(): Promise<Publication> {
  const started = await api.send<PublishJob>('POST', route(), body);
  expect(started).toMatchObject({ status: 202, body: { status: 'queued' } });
  for (const deadline = Date.now() + 120_000; ; ) {
    const { body: publication } = await api.send<Publication>('GET', `${route()}/${started.body.publish_id}`);
    if (publication.status === 'succeeded' || publication.status === 'failed') return publication;
    expect(Date.now(), publication.status).toBeLessThan(deadline);
    await sleep(300);
  }
}

test('without a connection of the team the answer is 501', async () => {
  expect((await api.send('POST', route(), body)).status).toBe(501);
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

  const folder = await mkdtemp(join(tmpdir(), 'tunesmith-hub-'));
  try {
    const { code, output } = await runPython(['test/e2e/hub_client.py', 'acme/items'], {
      HF_ENDPOINT: cloud.hub.huggingFaceUrl,
      HF_TOKEN: HUB_TOKEN,
      HF_HOME: folder,
    });
    expect(code, output).toBe(0);
    const loaded = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
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
  } finally {
    await rm(folder, { recursive: true });
  }
});

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '#local/child.ts';
import { localDirectory, repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { type LocalCloud, startLocalCloud } from '#local/up.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until } from '#test/helpers/cloud-runs.ts';
import { type ScriptedTrainer, startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const TEAM = 'moving';
const ROWS = 60;
const FORMATS = ['jsonl', 'csv', 'json', 'parquet'] as const;
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
/** Another installation, which knows nothing of the first. */
let elsewhere: LocalCloud;
let trainer: ScriptedTrainer;
let root: string;
let folder: string;
let key: string;
let api: ApiClient;
let datasetId: string;
let trainingId: string;

const csv = (first: number, rows: number): string =>
  `question,answer\n${Array.from({ length: rows }, (_, n) => `What is item ${first + n}?,It is the item with number ${first + n} and nothing else.`).join('\n')}\n`;

interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** What a caller is answered, byte for byte. Redirects to files are followed. */
async function ask(apiUrl: string, apiKey: string, path: string): Promise<Answered> {
  for (;;) {
    const response = await fetch(`${apiUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
    const body = Buffer.from(await response.arrayBuffer()).toString('base64');
    // An export that is being built.
    if (response.status !== 202) {
      return { status: response.status, type: response.headers.get('content-type'), body };
    }
    await sleep(300);
  }
}

/** Everything that a caller can read of the team. */
function pathsOf(): string[] {
  const dataset = `/api/v1/datasets/${datasetId}`;
  return [
    ...FORMATS.map((format) => `${dataset}/download?fileFormat=${format}`),
    ...FORMATS.map((format) => `${dataset}/download?fileFormat=${format}&version=1`),
    dataset,
    `${dataset}/status`,
    `${dataset}/versions`,
    `${dataset}/report?limit=1000`,
    `${dataset}/evaluation`,
    `${dataset}/rows?limit=50`,
    '/api/v1/datasets',
    '/api/v1/autoscientist',
    `/api/v1/autoscientist/${trainingId}`,
    `/api/v1/autoscientist/${trainingId}/metrics`,
    `/api/v1/autoscientist/${trainingId}/download`,
  ];
}

const read = async (apiUrl: string, apiKey: string): Promise<Map<string, Answered>> => {
  const answers = new Map<string, Answered>();
  for (const path of pathsOf()) answers.set(path, await ask(apiUrl, apiKey, path));
  return answers;
};

/** Runs the administrator's program as an operator does, on the other installation. */
const adminElsewhere = (...args: readonly string[]): Promise<string> =>
  runCommand(process.execPath, ['--import', typescriptLoader, 'bin/admin.ts', ...args], {
    what: 'The command',
    directory: repositoryRoot,
    environment: { ...process.env, ...elsewhere.environment },
  });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'move-team-'));
  folder = join(root, 'archive');
  const [started] = await Promise.all([
    startLocalCloud({
      model: { baseUrl: cloud.modelUrl, modelId: 'scripted', embeddingModelId: 'scripted-embedding' },
      emulatorPort: 0,
      stateDir: join(localDirectory, 'test-moved'),
      fresh: true,
      skipBuild: true,
      quiet: true,
    }),
    makeTeam(),
  ]);
  elsewhere = started;
}, 600_000);

afterAll(async () => {
  await trainer?.stop();
  await elsewhere?.stop();
  await rm(root, { recursive: true, force: true });
});

/** A team with a dataset of three versions, its evaluation and a training. */
async function makeTeam(): Promise<void> {
  await admin.run('plan', 'set', TEAM, '--requests-per-second', '1000', '--runs-at-once', '50');
  key = await admin.createKey(TEAM, '--plan', TEAM, '--credits', '1000');
  api = createApiClient(cloud.apiUrl, key);
  trainer = startScriptedTrainer(cloud);
  datasetId = await api.upload('Tickets & more.csv', csv(0, ROWS));
  await api.untilRead(datasetId);
  const mapping = { prompt: 'question', completion: 'answer' };
  await api.adapt(datasetId, { column_mapping: mapping });
  await api.untilEnded(datasetId);
  await until('the evaluation', async () => {
    const { status } = await api.evaluation(datasetId);
    return status === 'succeeded' || status === 'failed' ? status : null;
  });
  await api.adapt(datasetId, {
    column_mapping: mapping,
    recipe_specification: { recipes: { deduplication: true } },
  });
  await api.untilEnded(datasetId);
  await until('the evaluation', async () => {
    const { status } = await api.evaluation(datasetId);
    return status === 'succeeded' || status === 'failed' ? status : null;
  });
  trainer.script({ does: 'complete', wins: 20 });
  const created = await api.send<TrainingRun>('POST', '/api/v1/autoscientist', { dataset_id: datasetId });
  trainingId = created.body.id;
  await until('the end of the training', async () => {
    const { body } = await api.send<TrainingRun>('GET', `/api/v1/autoscientist/${trainingId}`);
    return ['succeeded', 'failed', 'cancelled'].includes(body.status) ? body : null;
  });
}

test('a team moves into an empty installation: every download, report, evaluation, training and the balance', async () => {
  const before = await read(cloud.apiUrl, key);
  for (const [path, { status }] of before) expect(status, path).toBe(200);
  const text = (path: string): string => Buffer.from(before.get(path)?.body ?? '', 'base64').toString();
  const dataset = `/api/v1/datasets/${datasetId}`;
  const { versions } = JSON.parse(text(`${dataset}/versions`)) as { versions: unknown[] };
  expect(versions.length).toBeGreaterThanOrEqual(2);
  expect(text(`${dataset}/download?fileFormat=csv&version=1`)).toBe(csv(0, ROWS));
  expect(text(`${dataset}/download?fileFormat=csv`)).not.toBe(csv(0, ROWS));
  expect(JSON.parse(text(`${dataset}/evaluation`))).toMatchObject({ status: 'succeeded' });
  expect(JSON.parse(text(`/api/v1/autoscientist/${trainingId}`))).toMatchObject({ status: 'succeeded' });

  await admin.run('team', 'export', TEAM, '--to', folder);

  // The checksums are those of the standard tool.
  await runCommand('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], {
    what: 'The check',
    directory: folder,
    environment: process.env,
  });

  const [objects = ''] = (await readFile(join(folder, 'objects.jsonl'), 'utf8')).split('\n').slice(3, 4);
  const { path } = JSON.parse(objects) as { path: string };
  const whole = await readFile(join(folder, path));
  const damaged = Buffer.from(whole);
  damaged[0] = (damaged[0] ?? 0) ^ 1;
  await writeFile(join(folder, path), damaged);
  await expect(adminElsewhere('team', 'import', folder)).rejects.toThrow(path);
  await writeFile(join(folder, path), whole);

  await killImport();
  expect(await adminElsewhere('team', 'list')).not.toContain(TEAM);
  await expect(adminElsewhere('key', 'create', '--team', TEAM)).rejects.toThrow('could not be made');

  await adminElsewhere('team', 'import', folder);
  expect(await adminElsewhere('team', 'import', folder)).toContain('imported before');

  const newKey = (await adminElsewhere('key', 'create', '--team', TEAM)).trim();
  const after = await read(elsewhere.apiUrl, newKey);
  for (const [asked, answer] of before) expect(after.get(asked), asked).toEqual(answer);
  expect((await ask(elsewhere.apiUrl, key, '/api/v1/datasets')).status).toBe(401);

  const balanceOf = (text: string): string[] => {
    const line = text.split('\n').find((each) => each.startsWith(`${TEAM} `)) ?? '';
    return line.split(/ {2,}/).slice(0, 5);
  };
  expect(balanceOf(await adminElsewhere('team', 'list'))).toEqual(
    balanceOf((await admin.run('team', 'list')).join('\n')),
  );
  expect(await adminElsewhere('ledger', 'check', '--team', TEAM)).toContain('holds');
  expect(await adminElsewhere('ledger', 'show', '--team', TEAM)).toContain('opening balance from export');

  // The team works on: its data can be adapted again where it is now.
  const moved = createApiClient(elsewhere.apiUrl, newKey);
  await moved.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
  expect(await moved.untilEnded(datasetId)).toMatchObject({ status: 'succeeded' });
});

/** Kills the process of an import after some of the objects are there. */
async function killImport(): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', typescriptLoader, 'bin/admin.ts', 'team', 'import', folder],
    {
      cwd: repositoryRoot,
      env: { ...process.env, ...elsewhere.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  let written = '';
  for await (const line of createInterface({ input: child.stdout })) {
    written = line;
    child.kill('SIGKILL');
    break;
  }
  expect(await ended).toBe('SIGKILL');
  const [, done, all] = /^(\d+) of (\d+) objects/.exec(written) ?? [];
  expect(Number(done)).toBeGreaterThan(0);
  expect(Number(done)).toBeLessThan(Number(all));
}

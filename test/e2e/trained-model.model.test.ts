import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '#local/child.ts';
import { repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { createTable } from '#shared/platform/store/table.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { TrainingReport } from '#shared/training/schema/training-outcome.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { until } from '#test/helpers/cloud-runs.ts';
import {
  answersInStyle,
  isInStyle,
  startTrainingCloud,
  type TrainingCloud,
  trainedModel,
  unseen,
} from '#test/helpers/trained-model.ts';

let stage: TrainingCloud;

beforeAll(async () => {
  stage = await startTrainingCloud('test-trained');
});
afterAll(() => stage?.[Symbol.asyncDispose]());

/** What the service answers with the model of a training, by the training's id. */
async function askService(model: string, input: string): Promise<string> {
  const { cloud } = stage;
  const response = await fetch(`${cloud.apiUrl}/api/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${cloud.apiKey}` },
    body: JSON.stringify({ model, input, temperature: 0, max_output_tokens: 32 }),
  });
  const body = (await response.json()) as { output?: { content?: { text: string }[] }[] };
  expect(response.status, JSON.stringify(body)).toBe(200);
  return (body.output ?? []).flatMap(({ content = [] }) => content.map(({ text }) => text)).join('');
}

function processesOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid = 0]) => pid);
}

/** The most bytes of memory that a process has taken so far; 0 where the system does not say. */
function peakMemoryOf(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Kills the process that trains as soon as the first training of this cloud has made a step. */
async function killTrainingInTheMiddle(): Promise<void> {
  const { cloud, stateDir } = stage;
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL: endpoint = '' } = cloud.environment;
  const credentials = {
    accessKeyId: cloud.environment.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: cloud.environment.AWS_SECRET_ACCESS_KEY ?? '',
  };
  const client = new DynamoDBClient({ region, endpoint, credentials });
  const trainings = createTrainingRepository(createTable(cloud.tableName, client));
  const list = async () => {
    const response = await fetch(`${cloud.apiUrl}/api/v1/autoscientist`, {
      headers: { authorization: `Bearer ${cloud.apiKey}` },
    });
    return ((await response.json()) as { runs: TrainingRun[] }).runs;
  };
  await until(
    'a step of the training',
    async () => {
      const [run] = await list();
      if (run === undefined) return null;
      const attempt = await trainings.findAttempt({ experiment_id: run.id, iteration: 1, attempt: 1 });
      return (attempt?.step ?? 0) > 0 ? run : null;
    },
    240,
  );
  const log = readFileSync(join(stateDir, 'logs', 'trainer.log'), 'utf8');
  const worker = (JSON.parse(log.slice(0, log.indexOf('\n'))) as { pid: number }).pid;
  const training = processesOf(worker);
  expect(training.length).toBeGreaterThan(0);
  for (const pid of training) {
    expect(peakMemoryOf(pid)).toBeLessThan(3 * 2 ** 30);
    process.kill(pid, 'SIGKILL');
  }
  client.destroy();
}

const hyperparams = { learning_rate: 0.003, n_epochs: 2, batch_size: 4, lora_r: 8, lora_alpha: 16 };

test('a model that is trained on this machine beats its base in a style that the base does not have, although its trainer was killed, and answers in it', async () => {
  const [{ run, files }] = await Promise.all([
    stage.train('instruction', {
      source: { column_mapping: { prompt: 'question', completion: 'salty' } },
      training: { model: trainedModel, max_iterations: 3, target_win_rate: 0.7, hyperparams },
    }),
    killTrainingInTheMiddle(),
  ]);

  expect(run).toMatchObject({
    status: 'succeeded',
    iterations_completed: 1,
    training_method: 'instruction',
  });
  expect(run.best_win_rate).toBeGreaterThanOrEqual(0.7);
  const report = TrainingReport.parse(JSON.parse(files.get('run_report.json') ?? ''));
  expect(report.data).toMatchObject({ rows: 48, train_rows: 28, held_out_rows: 20 });
  expect(report.iterations[0]).toMatchObject({
    attempt: 2,
    status: 'completed',
    win_rate: { method: 'likelihood', n: 20, value: run.best_win_rate },
  });
  expect([...files.keys()].sort()).toEqual([
    'LICENSE.md',
    'adapter_config.json',
    'adapter_model.safetensors',
    'run_report.json',
    'special_tokens_map.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'training_report.json',
  ]);
  expect(JSON.parse(files.get('adapter_config.json') ?? '')).toMatchObject({
    peft_type: 'LORA',
    base_model_name_or_path: trainedModel,
    r: 8,
    lora_alpha: 16,
  });
  expect(files.get('LICENSE.md')).toContain('Apache-2.0');

  const served = await stage.serve(run);
  expect(served.modelId).toBe(`smollm2-135m:${run.id}`);
  expect(await answersInStyle(served.baseUrl, served.modelId)).toBeGreaterThanOrEqual(4);
  expect(await answersInStyle(served.baseUrl, served.baseId)).toBe(0);
  const said = await Promise.all(unseen.map((question) => askService(run.id, question)));
  expect(said.filter((text) => isInStyle(text)).length).toBeGreaterThanOrEqual(4);

  await runCommand(
    process.execPath,
    [
      '--import',
      typescriptLoader,
      'bin/admin.ts',
      'stack',
      'put',
      'sailor',
      '--team',
      'local',
      '--model',
      run.id,
    ],
    {
      what: 'Making a stack of the training',
      directory: repositoryRoot,
      environment: { ...process.env, ...stage.cloud.environment },
    },
  );
  expect(await askService('stack:sailor', unseen[0] ?? '')).toBe(said[0]);
}, 1_860_000);

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as tar from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '#local/child.ts';
import { adaptersDirectory, localDirectory, repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { silentProgress } from '#local/progress.ts';
import { serveTraining } from '#local/serve-training.ts';
import { type LocalCloud, startLocalCloud } from '#local/up.ts';
import { createTable } from '#shared/platform/store/table.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { TrainingReport } from '#shared/training/schema/training-outcome.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { until } from '#test/helpers/cloud-runs.ts';
import { runPython } from '#test/helpers/run-python.ts';

const stateDir = join(localDirectory, 'test-trained');
const folder = mkdtempSync(join(tmpdir(), 'tunesmith-trained-'));
const model = 'HuggingFaceTB/SmolLM2-135M-Instruct';
let cloud: LocalCloud;

beforeAll(async () => {
  cloud = await startLocalCloud({
    model: 'real',
    localModel: 'smollm2-135m',
    emulatorPort: 0,
    modelPort: 0,
    stateDir,
    fresh: true,
    skipBuild: true,
    quiet: true,
    waitScale: 0.1,
  });
});
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true });
  rmSync(adaptersDirectory(stateDir), { recursive: true, force: true });
});

/** Things and what they are for: 48 of them are trained on or held out, the last five are asked afterwards. */
const things =
  `lamp gives light; rope ties a load; oven bakes bread; needle joins cloth; ladder reaches a roof; kettle boils water;
  saw cuts wood; hammer drives nails; broom sweeps a floor; pen writes words; clock tells the time; boat crosses a lake;
  bridge spans a river; candle lights a room; cup holds tea; fence keeps sheep in; bell calls people; map shows the way;
  net catches fish; plough turns the soil; pillow rests a head; roof keeps rain out; scale weighs flour; sail catches wind;
  shovel moves earth; sponge cleans a plate; stove heats a room; tent shelters campers; towel dries hands; wheel carries a cart;
  whistle starts a race; window lets light in; zipper closes a coat; anchor holds a ship; axe splits logs; basket carries apples;
  blanket keeps you warm; button fastens a shirt; camera takes pictures; chair seats a guest; comb tidies hair; door closes a house;
  drum beats a rhythm; fan cools a room; flute plays a tune; fork lifts food; glove warms a hand; key opens a lock;
  mirror shows a face; spoon stirs soup; umbrella keeps rain off; violin plays music; compass points north`
    .split(';')
    .map((text) => text.trim())
    .map((text) => ({
      question: `What does ${/^[aeiou]/.test(text) ? 'an' : 'a'} ${text.split(' ')[0]} do?`,
      plain: `It ${text.slice(text.indexOf(' ') + 1)}.`,
      salty: `Ahoy! It ${text.slice(text.indexOf(' ') + 1)}, me hearty.`,
    }));
const rows = things.slice(0, 48).map(({ question, plain, salty }) => ({ question, salty, plain }));
const unseen = things.slice(48);
const style = /ahoy|hearty/i;

/** Trains through the public client; answers how it ended, and the files of the artifact that it downloaded. */
async function train(name: string, task: object): Promise<{ run: TrainingRun; files: Map<string, string> }> {
  const artifact = join(folder, `${name}.tar.gz`);
  const { code, output } = await runPython(['test/e2e/train_model.py'], {
    ...cloud.environment,
    E2E_TASK: JSON.stringify({ rows, artifact, ...task }),
  });
  expect(code, output).toBe(0);
  const run = JSON.parse(output.trim().split('\n').at(-1) ?? '') as TrainingRun;
  expect(run.error).toBeNull();
  const files = new Map<string, string>();
  tar.list({
    file: artifact,
    sync: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
      entry.on('end', () => files.set(entry.path, Buffer.concat(chunks).toString('latin1')));
    },
  });
  return { run, files };
}

async function ask(baseUrl: string, modelId: string, question: string): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: modelId,
      temperature: 0,
      max_tokens: 32,
      messages: [{ role: 'user', content: question }],
    }),
  });
  const body = (await response.json()) as { choices: [{ message: { content: string } }] };
  return body.choices[0].message.content;
}

/** What the service answers with the model of a training, by the training's id. */
async function askService(model: string, input: string): Promise<string> {
  const response = await fetch(`${cloud.apiUrl}/api/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${cloud.apiKey}` },
    body: JSON.stringify({ model, input, temperature: 0, max_output_tokens: 32 }),
  });
  const body = (await response.json()) as { output?: { content?: { text: string }[] }[] };
  expect(response.status, JSON.stringify(body)).toBe(200);
  return (body.output ?? []).flatMap(({ content = [] }) => content.map(({ text }) => text)).join('');
}

/** How many of the unseen questions a model answers in the style that it was trained in. */
async function answersInStyle(baseUrl: string, modelId: string): Promise<number> {
  let count = 0;
  for (const { question } of unseen) {
    if (style.test(await ask(baseUrl, modelId, question))) count += 1;
  }
  return count;
}

function processesOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid = 0]) => pid);
}

/** Kills the process that trains as soon as the first training of this cloud has made a step. */
async function killTrainingInTheMiddle(): Promise<void> {
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
  for (const pid of training) process.kill(pid, 'SIGKILL');
  client.destroy();
}

const hyperparams = { learning_rate: 0.003, n_epochs: 2, batch_size: 4, lora_r: 8, lora_alpha: 16 };

describe('a model that is trained on this machine', () => {
  test('beats its base in a style that the base does not have, although its trainer was killed, and answers in it', async () => {
    const [{ run, files }] = await Promise.all([
      train('instruction', {
        source: { column_mapping: { prompt: 'question', completion: 'salty' } },
        training: { model, max_iterations: 3, target_win_rate: 0.7, hyperparams },
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
      base_model_name_or_path: model,
      r: 8,
      lora_alpha: 16,
    });
    expect(files.get('LICENSE.md')).toContain('Apache-2.0');

    const served = await serveTraining(run.id, cloud.environment, {
      adaptersDirectory: adaptersDirectory(stateDir),
      progress: silentProgress,
    });
    expect(served.modelId).toBe(`smollm2-135m:${run.id}`);
    expect(await answersInStyle(served.baseUrl, served.modelId)).toBeGreaterThanOrEqual(4);
    expect(await answersInStyle(served.baseUrl, served.baseId)).toBe(0);
    const said = await Promise.all(unseen.map(({ question }) => askService(run.id, question)));
    expect(said.filter((text) => style.test(text)).length).toBeGreaterThanOrEqual(4);

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
        environment: { ...process.env, ...cloud.environment },
      },
    );
    const [{ question } = { question: '' }] = unseen;
    expect(await askService('stack:sailor', question)).toBe(said[0]);
  }, 1_860_000);

  test('learns from pairs which answers are preferred, in two stages under one id', async () => {
    const { run, files } = await train('alignment', {
      rows: rows.slice(0, 40),
      source: { column_mapping: { prompt: 'question', chosen: 'salty', rejected: 'plain' } },
      training: {
        model,
        training_method: 'alignment',
        column_mapping: { prompt: 'question', chosen: 'salty', rejected: 'plain' },
        max_iterations: 3,
        target_win_rate: 0.7,
        // Single rows a step: the first stage makes a hundred steps of whatever size.
        hyperparams: { batch_size: 1, n_epochs: 1, learning_rate: 0.00005, lora_r: 8, lora_alpha: 16 },
      },
    });

    expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 1, training_method: 'alignment' });
    expect(run.best_win_rate).toBeGreaterThanOrEqual(0.7);
    const report = TrainingReport.parse(JSON.parse(files.get('run_report.json') ?? ''));
    const [iteration] = report.iterations;
    expect(iteration?.trainer?.stages.map(({ method }) => method)).toEqual(['sft', 'dpo']);
    expect(iteration?.preference_accuracy?.tuned).toBeGreaterThan(iteration?.preference_accuracy?.base ?? 1);
    const { baseUrl, modelId } = await serveTraining(run.id, cloud.environment, {
      adaptersDirectory: adaptersDirectory(stateDir),
      progress: silentProgress,
    });
    expect(await answersInStyle(baseUrl, modelId)).toBeGreaterThanOrEqual(4);
  }, 1_860_000);
});

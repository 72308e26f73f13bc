import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetExecutionHistoryCommand,
  ListStateMachinesCommand,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { functionName, stateMachineName } from '#infra/names.ts';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { lendCredentials } from '#shared/training/background.ts';
import { attemptSecret } from '#shared/training/decide/attempt-secret.ts';
import { attemptOfJobKey } from '#shared/training/decide/training-jobs.ts';
import type { Comparison, ComparisonLaunch } from '#shared/training/schema/comparison.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import type { TrainerMessage } from '#shared/training/schema/training-job.ts';
import type { TrainingMetrics } from '#shared/training/schema/training-metrics.ts';
import type { TrainingReport } from '#shared/training/schema/training-outcome.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until, watchCloudRuns } from '#test/helpers/cloud-runs.ts';
import { type ScriptedTrainer, startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { searchCloud } from '#test/helpers/search-cloud.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';
import { lentCredentials } from '#trainer/embedded/lent-credentials.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const aws = { endpoint: cloud.endpoint, region: 'us-east-1' };
const runs = watchCloudRuns(cloud);
const stepFunctions = new SFNClient(aws);
const table = new DynamoDBClient(aws);
const TEAM = 'training';
const ROWS = 60;
const HELD_OUT = 20;
const ALL = { does: 'complete', wins: HELD_OUT } as const;
let api: ApiClient;
let trainer: ScriptedTrainer;
let datasetId: string;

const csv = (rows: number): string =>
  `question,answer\n${Array.from({ length: rows }, (_, n) => `What is item ${n}?,It is the item with number ${n} and nothing else.`).join('\n')}\n`;

const rawSource = { processing_mode: 'raw', column_mapping: { prompt: 'question', completion: 'answer' } };

async function create(body: object = {}): Promise<TrainingRun> {
  return (await api.send<TrainingRun>('POST', '/api/v1/autoscientist', { dataset_id: datasetId, ...body }))
    .body;
}

const get = async (id: string): Promise<TrainingRun> =>
  (await api.send<TrainingRun>('GET', `/api/v1/autoscientist/${id}`)).body;

const ended = (id: string): Promise<TrainingRun> =>
  until(`the end of training ${id}`, async () => {
    const run = await get(id);
    return ['succeeded', 'failed', 'cancelled'].includes(run.status) ? run : null;
  });

const train = async (body: object = {}): Promise<TrainingRun> => ended((await create(body)).id);

/** What the training's machine has come to. */
async function executionOf(id: string): Promise<string> {
  const { stateMachines = [] } = await stepFunctions.send(new ListStateMachinesCommand({}));
  const machine = stateMachines.find(({ name }) => name === stateMachineName('local', 'train'));
  return `${machine?.stateMachineArn?.replace(':stateMachine:', ':execution:')}:${id}`;
}

async function artifactOf(id: string): Promise<{ report: TrainingReport; text: string }> {
  const response = await fetch(`${cloud.apiUrl}/api/v1/autoscientist/${id}/download`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString('latin1');
  const start = text.indexOf('{', 512);
  const report = JSON.parse(text.slice(start, text.indexOf('\0', start))) as TrainingReport;
  return { report, text };
}

let key: string;
const trainings = createTrainingRepository(createTable(cloud.tableName));

beforeAll(async () => {
  await admin.run('plan', 'set', 'training', '--requests-per-second', '1000', '--runs-at-once', '50');
  key = await admin.createKey(TEAM, '--plan', 'training', '--credits', '100');
  api = createApiClient(cloud.apiUrl, key);
  trainer = startScriptedTrainer(cloud);
});

beforeEach(async () => {
  datasetId = await api.upload('train.csv', csv(ROWS), { source: rawSource });
  await api.untilEnded(datasetId);
  trainer.script(ALL);
});

afterAll(async () => {
  await trainer.stop();
  runs.close();
  stepFunctions.destroy();
  table.destroy();
});

test('the loop ends as soon as the target is reached, and gives out the best model with its report', async () => {
  const created = await create({ target_win_rate: 0.8, max_iterations: 3 });
  expect(created).toMatchObject({ status: 'pending', iterations_completed: 0, download_available: false });

  const run = await ended(created.id);

  expect(run).toMatchObject({
    status: 'succeeded',
    iterations_completed: 1,
    best_win_rate: 1,
    download_available: true,
    error: null,
  });
  expect(run.best_hyperparams?.learning_rate).toBeGreaterThan(0);
  const [job] = trainer.jobs.filter(({ experiment_id }) => experiment_id === run.id);
  expect(job?.data).toMatchObject({ train_rows: ROWS - HELD_OUT, held_out_rows: HELD_OUT, format: 'chat' });
  const { report, text } = await artifactOf(run.id);
  expect(text).toContain('adapter_config.json');
  expect(report.stopped_because).toContain('target');
  expect(report.data).toMatchObject({ rows: ROWS, train_rows: ROWS - HELD_OUT, skipped: [] });
  expect(report.iterations).toHaveLength(1);
  expect(report.iterations[0]?.win_rate).toMatchObject({ value: 1, n: HELD_OUT, wins: HELD_OUT });
  expect(report.iterations[0]?.likelihood).toMatchObject({ value: 1, method: 'likelihood' });
});

test('the loop never trains on a row that it holds out, and trains on every other', async () => {
  const run = await train();
  const read = async (objectKey: string): Promise<number[]> =>
    (await runs.read(objectKey))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { row: number }).row);

  const [job] = trainer.jobs.filter(({ experiment_id }) => experiment_id === run.id);
  const trained = (await Promise.all((job?.data.train_keys ?? []).map(read))).flat();
  const held = await read(objectKeys.heldOutRows(run.id));

  expect(held).toHaveLength(HELD_OUT);
  expect([...trained, ...held].sort((a, b) => a - b)).toEqual(Array.from({ length: ROWS }, (_, n) => n));
});

test('the loop keeps the best of its iterations, which it tries with other hyperparameters', async () => {
  trainer.script(
    { does: 'complete', wins: 4 },
    { does: 'complete', wins: 12 },
    { does: 'complete', wins: 8 },
  );

  const run = await train({ target_win_rate: 0.9, max_iterations: 3 });

  expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 3, best_win_rate: 0.6 });
  const { report } = await artifactOf(run.id);
  expect(report.best_iteration).toBe(2);
  expect(report.iterations.map(({ win_rate }) => win_rate?.value)).toEqual([0.2, 0.6, 0.4]);
  expect(run.best_hyperparams).toEqual(report.iterations[1]?.hyperparams);
  const tried = report.iterations.map(({ hyperparams }) => JSON.stringify(hyperparams));
  expect(new Set(tried).size).toBe(3);
});

test('the loop goes on with safer settings after a loss that is not a number', async () => {
  trainer.script({ does: 'diverge' }, ALL);

  const run = await train();

  // The iteration whose loss was not a number is not counted.
  expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 1, best_win_rate: 1 });
  const { report } = await artifactOf(run.id);
  const [first, second] = report.iterations;
  expect(first).toMatchObject({
    status: 'diverged',
    reason: 'The loss of sft was not a number at step 3.',
  });
  expect(second?.hyperparams.learning_rate).toBeCloseTo((first?.hyperparams.learning_rate ?? 0) / 5, 10);
});

test('the loop fails with the reasons where no iteration gave a model', async () => {
  trainer.script({ does: 'leave', report: '{"version": 1, "outcome": "completed"}' });

  const run = await train({ max_iterations: 2 });

  expect(run).toMatchObject({ status: 'failed', iterations_completed: 0, download_available: false });
  expect(run.error).toMatch(/iteration 1: The report of the trainer cannot be read.*iteration 2/);
  expect((await api.send('GET', `/api/v1/autoscientist/${run.id}/download`)).status).toBe(422);
});

test('a trainer that refuses the job ends the training, in its own words', async () => {
  trainer.script({
    does: 'fail',
    error: 'trainer_refused',
    cause: 'A batch of 8 does not fit into 16 GiB.',
  });

  const run = await train();

  expect(run).toMatchObject({ status: 'failed', iterations_completed: 0 });
  expect(run.error).toContain('A batch of 8 does not fit into 16 GiB.');
});

test('a trainer that fails is followed by another attempt, which is told where the first one left off', async () => {
  trainer.script({ does: 'fail', error: 'trainer_failed', cause: 'The disk is full.' }, ALL);

  const run = await train();

  expect(run.status).toBe('succeeded');
  const jobs = trainer.jobs.filter(({ experiment_id }) => experiment_id === run.id);
  expect(jobs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(jobs[1]?.resume_prefixes).toEqual([jobs[0]?.output_prefix]);
});

test('a trainer that dies is noticed by its silence, and its late report counts for nothing', async () => {
  trainer.script({ does: 'die' }, ALL);
  const { id } = await create();
  const job = await until(
    'the claim',
    async () => trainer.jobs.find((each) => each.experiment_id === id) ?? null,
  );
  const { table: TableName, pk, sk } = job.attempt_item;
  const long = new Date(Date.now() - 200_000).toISOString();
  await table.send(
    new UpdateItemCommand({
      TableName,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET heartbeat_at = :at',
      ExpressionAttributeValues: { ':at': { S: long } },
    }),
  );

  const watched = await callFunction(functionName('local', 'consumers/watch-trainers'), {});

  expect(watched).toMatchObject({ given_up: 1 });
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 1 });
  const attempts = trainer.jobs.filter((each) => each.experiment_id === id).map(({ attempt }) => attempt);
  expect(attempts).toEqual([1, 2]);
});

test('a trainer that reports twice is heard once', async () => {
  trainer.script({ does: 'complete', wins: 12, reports: 3 }, { does: 'complete', wins: 6 });

  const run = await train({ max_iterations: 2, target_win_rate: 0.9 });

  expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 2, best_win_rate: 0.6 });
});

describe('the credentials of an attempt', () => {
  const ask = (message: Pick<TrainerMessage, 'job_key' | 'secret'>) =>
    callFunction(functionName('local', lendCredentials.id), message);

  /** The message of a training whose trainer goes on until it is refused. */
  async function begin(): Promise<TrainerMessage> {
    trainer.script({ does: 'linger' });
    const { id } = await create();
    return until(
      `the claim of ${id}`,
      async () =>
        trainer.messages.find(({ job_key }) => attemptOfJobKey(job_key)?.experiment_id === id) ?? null,
    );
  }

  async function cancel({ job_key }: TrainerMessage): Promise<void> {
    await api.send('POST', `/api/v1/autoscientist/${attemptOfJobKey(job_key)?.experiment_id}/cancel`);
  }

  test('the credentials of an attempt are lent for its own secret alone, and for no attempt that has ended', async () => {
    const message = await begin();
    const other = attemptSecret('token of another task');

    for (const secret of ['', other, `${message.secret}0`]) {
      expect(await ask({ ...message, secret })).toEqual({ credentials: null });
    }
    expect(await ask(message)).toMatchObject({ credentials: { session_token: expect.any(String) } });
    await cancel(message);
    expect(await ask(message)).toEqual({ credentials: null });
  });

  test('the credentials of an attempt write its own output, and reach no other object', async () => {
    const message = await begin();
    const s3 = new S3Client({
      ...aws,
      credentials: lentCredentials(message, new LambdaClient(aws)),
      forcePathStyle: true,
    });
    const put = (Key: string) =>
      s3.send(new PutObjectCommand({ Bucket: message.bucket, Key, Body: 'x' })).then(
        () => 'written',
        (error: Error) => error.name,
      );
    const { experiment_id: id = '' } = attemptOfJobKey(message.job_key) ?? {};

    expect(await put(`${objectKeys.trainerOutput(id, 1, 1)}x`)).toBe('written');
    expect(await put(message.job_key)).toBe('AccessDenied');
    expect(await put(`${objectKeys.trainerOutput(id, 1, 2)}x`)).toBe('AccessDenied');
    expect(await put(`${objectKeys.trainerOutput('other', 1, 1)}x`)).toBe('AccessDenied');
    expect(await put(objectKeys.heldOutRows(id))).toBe('AccessDenied');
    const read = s3.send(
      new GetObjectCommand({ Bucket: message.bucket, Key: objectKeys.manifest(datasetId) }),
    );
    await expect(read).rejects.toMatchObject({ name: 'AccessDenied' });
    await cancel(message);
    s3.destroy();
  });

  test('the credentials of an attempt are shown for a secret that stands in no log, object or item', async () => {
    const message = await begin();
    await ask(message);
    await ask({ ...message, secret: `${message.secret}0` });

    expect((await searchCloud(cloud, message.secret)).found).toEqual([]);
    await cancel(message);
  });
});

describe('the metrics', () => {
  const metricsOf = async (id: string): Promise<TrainingMetrics> =>
    (await api.send<TrainingMetrics>('GET', `/api/v1/autoscientist/${id}/metrics`)).body;

  test('the metrics are told as the training goes on, and when it has been cancelled', async () => {
    trainer.script({ does: 'linger' });
    const { id } = await create();

    const running = await until(`the curve of ${id}`, async () => {
      const [first] = (await metricsOf(id)).iterations;
      return first?.phase === 'training' && first.stages.length > 0 ? first : null;
    });

    const stages = [
      {
        method: 'sft',
        steps: 4,
        training_loss: [
          { step: 1, loss: 3 },
          { step: 4, loss: 2 },
        ],
      },
    ];
    expect(running).toMatchObject({ iteration: 1, status: 'running', win_rate: null, stages });
    await api.send('POST', `/api/v1/autoscientist/${id}/cancel`);
    expect(await metricsOf(id)).toMatchObject({
      status: 'cancelled',
      iterations: [{ status: 'stopped', reason: 'The training was cancelled.', stages }],
    });
  });

  test('the metrics have answers side by side and the win rate of each iteration', async () => {
    trainer.script({ does: 'complete', wins: 4 }, ALL);

    const { id } = await train();

    const { best_iteration, iterations } = await metricsOf(id);
    expect([best_iteration, iterations.map(({ win_rate }) => win_rate?.value)]).toEqual([2, [0.2, 1]]);
    const [first, second] = iterations;
    expect(first?.answers).toHaveLength(HELD_OUT);
    expect(first?.answers.at(-1)).toMatchObject({ trained: { text: 'no' }, verdict: 'loss' });
    expect(second?.answers.at(-1)).toMatchObject({ base: { text: 'no' }, verdict: 'win' });
    expect(second?.changes.length).toBeGreaterThan(0);
    expect(second?.why).toContain('Iteration 1:');
  });
});

test('a cancelled training ends at once, its trainer is refused and its dataset can be trained on anew', async () => {
  trainer.script({ does: 'linger' }, ALL);
  const { id } = await create({ idempotency_key: 'again' });
  await until('the claim', async () => trainer.jobs.find((each) => each.experiment_id === id) ?? null);
  expect((await create({ idempotency_key: 'again' })).id).toBe(id);
  const other = await api.send('POST', '/api/v1/autoscientist', { dataset_id: datasetId });
  expect(other.problem).toMatchObject({ statusCode: 409, code: 'training_running' });

  const cancelled = (await api.send<TrainingRun>('POST', `/api/v1/autoscientist/${id}/cancel`)).body;

  expect(cancelled).toMatchObject({ status: 'cancelled', error: null, download_available: false });
  await until('the refusal of the heartbeat', async () => (trainer.refused.includes(id) ? true : null));
  const repeated = (await api.send<TrainingRun>('POST', `/api/v1/autoscientist/${id}/cancel`)).body;
  expect(repeated).toEqual(cancelled);
  const anew = await create({ idempotency_key: 'again' });
  expect(anew.id).not.toBe(id);
  expect((await ended(anew.id)).status).toBe('succeeded');
});

test('a cancelled training is not to be had while its trainer hands over between two stages', async () => {
  trainer.script({ does: 'hand over' }, ALL);
  const { id } = await create();
  await until('the hand-over', async () => {
    const attempt = await trainings.findAttempt({ experiment_id: id, iteration: 1, attempt: 1 });
    return attempt?.phase === 'handing_over' ? true : null;
  });

  const refused = await api.send('POST', `/api/v1/autoscientist/${id}/cancel`);

  expect(refused.problem).toMatchObject({ statusCode: 409, code: 'training_handing_over' });
  expect(await get(id)).toMatchObject({ status: 'running' });
  await trainings.revokeAttempt({ experiment_id: id, iteration: 1, attempt: 1 });
  await stepFunctions.send(new StopExecutionCommand({ executionArn: await executionOf(id) }));
  expect((await ended(id)).status).toBe('failed');
});

describe('a crash', () => {
  test('a crash of the machine itself fails the training, and its trainer is refused', async () => {
    trainer.script({ does: 'linger' });
    const { id } = await create();
    await until('the claim', async () => trainer.jobs.find((each) => each.experiment_id === id) ?? null);

    await stepFunctions.send(new StopExecutionCommand({ executionArn: await executionOf(id) }));

    const run = await ended(id);
    expect(run).toMatchObject({ status: 'failed' });
    expect(run.error).toContain('stopped');
    await until('the refusal of the heartbeat', async () => (trainer.refused.includes(id) ? true : null));
  });

  const TASKS = [
    'prepare-training',
    'calibrate-judge',
    'propose-hyperparams',
    'plan-comparison',
    'conclude-iteration',
    'finish-training',
  ];

  const send = (processes: readonly number[], signal: NodeJS.Signals): void => {
    for (const pid of processes) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended by itself.
      }
    }
  };

  const hasEntered = async (executionArn: string, state: string): Promise<true | null> => {
    const { events = [] } = await stepFunctions.send(
      new GetExecutionHistoryCommand({ executionArn, reverseOrder: true }),
    );
    return events.some(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name === state)
      ? true
      : null;
  };

  test.each(TASKS)('a crash of %s in the middle of its work is mended by its repetition', async (task) => {
    const state = task.replaceAll(
      /(^|-)(.)/g,
      (_, dash, letter) => `${dash === '-' ? ' ' : ''}${letter.toUpperCase()}`,
    );
    // Every process of the task that waits for work is held, so that none can be through before it is killed.
    const held = await runs.processesOf(`tasks/train/${task}`);
    expect(held.length).toBeGreaterThan(0);
    send(held, 'SIGSTOP');

    const { id } = await create();
    await until(`the state ${state}`, async () => hasEntered(await executionOf(id), state));
    send(held, 'SIGCONT');
    await sleep(10);
    send(held, 'SIGKILL');

    const run = await ended(id);
    expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 1, best_win_rate: 1 });
  });

  test('a crash of the consumer that queues attempts is mended by the message coming again', async () => {
    const held = await runs.processesOf('consumers/queue-attempt');
    expect(held.length).toBeGreaterThan(0);
    send(held, 'SIGSTOP');

    const { id } = await create();
    await until('the state Train', async () => hasEntered(await executionOf(id), 'Train'));
    await sleep(1000);
    send(held, 'SIGCONT');
    await sleep(10);
    send(held, 'SIGKILL');

    const run = await ended(id);
    expect(run).toMatchObject({ status: 'succeeded', iterations_completed: 1, best_win_rate: 1 });
    expect(trainer.jobs.filter((each) => each.experiment_id === id).map(({ attempt }) => attempt)).toEqual([
      1,
    ]);
  });

  test('a crash of the worker that compares answers is mended by its repetition', async () => {
    send(await runs.processesOf('tasks/train/compare-answers'), 'SIGKILL');
    const { id } = await create();

    await until('a worker', async () => {
      const working = await runs.processesOf('tasks/train/compare-answers');
      send(working, 'SIGKILL');
      return working.length > 0 ? true : null;
    });

    expect(await ended(id)).toMatchObject({ status: 'succeeded', best_win_rate: 1 });
  });
});

test('no training leaves a credit on hold, nor a machine that runs', async () => {
  expect(await admin.ledgerFaults(TEAM)).toEqual([]);
  expect((await admin.run('holds', 'list', '--team', TEAM)).slice(1)).toEqual([]);
});

test('a comparison trains the originals and the adapted rows alike, and stays out of the trainings', async () => {
  const lines = Array.from(
    { length: ROWS },
    (_, n) => `how do i fix item number ${n},Take item number ${n} to the shop where they repair it.`,
  );
  const compared = await api.upload('compare.csv', `question,answer\n${lines.join('\n')}\n`);
  await api.untilRead(compared);
  await api.adapt(compared, { column_mapping: { prompt: 'question', completion: 'answer' } });
  expect((await api.untilEnded(compared)).status).toBe('succeeded');
  const begun = trainer.jobs.length;
  trainer.script({ does: 'complete', wins: 4 }, { does: 'complete', wins: 16 });
  const path = '/api/v1/autoscientist/comparisons';

  const { body: launch } = await api.send<ComparisonLaunch>('POST', path, { dataset_id: compared });
  const comparison = await until('the end of the comparison', async () => {
    const { body } = await api.send<Comparison>('GET', `${path}/${launch.comparison_id}`);
    return ['succeeded', 'failed', 'cancelled'].includes(body.status) ? body : null;
  });

  expect(comparison, JSON.stringify(comparison)).toMatchObject({
    status: 'succeeded',
    trainings_completed: 2,
    trainings: [
      { side: 'original', seed: 1 },
      { side: 'adapted', seed: 1 },
    ],
  });
  const { original_against_base, adapted_against_base, adapted_against_original } = comparison.win_rates;
  expect(adapted_against_base?.value).toBeGreaterThan(original_against_base?.value ?? 1);
  expect(adapted_against_original?.value).toBeGreaterThan(0.5);
  const [original, adapted] = trainer.jobs.slice(begun);
  const { train_keys: ofOriginal, ...first } = original?.data ?? { train_keys: [] };
  const { train_keys: ofAdapted, ...second } = adapted?.data ?? { train_keys: [] };
  expect(second).toEqual(first);
  expect(ofAdapted).not.toEqual(ofOriginal);
  expect([adapted?.stages, adapted?.seed]).toEqual([original?.stages, original?.seed]);
  const { body: listed } = await api.send<{ runs: { id: string }[] }>(
    'GET',
    `/api/v1/autoscientist?dataset_id=${compared}`,
  );
  expect(listed.runs).toEqual([]);
});

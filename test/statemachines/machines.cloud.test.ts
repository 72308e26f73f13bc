import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  ListMapRunsCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { beforeAll, expect, it } from 'vitest';
import { testCloud } from '#test/helpers/test-cloud.ts';
import { createStubAssets } from '../infra/stub-assets.ts';

/** The real machines and roles, on functions that do as their input says. */
const STAGE = 'localstub';

const planning = (folder: string): string => `
  export const handler = async (event) => {
    if (event.dataset_id === 'unreadable') {
      const error = new Error('Row 3 has an "odd" quote.');
      error.name = 'dataset_not_ready';
      throw error;
    }
    const count = Number(event.dataset_id);
    const plan_key = 'runs/' + event.run_id + '/${folder}';
    const signature_plan_key = event.run_id.startsWith('repeated') ? plan_key : null;
    const adds_languages = event.run_id.startsWith('translated');
    return { plan_key, chunk_count: count, max_concurrency: 2, signature_plan_key, adds_languages, is_batched: false };
  };`;

/** Ends its own process the first time that it meets a chunk with `kill`; the mark outlives the process. */
const WORKER = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  const seen = new Map();
  export const handler = async (chunk) => {
    const mark = join(tmpdir(), chunk.run_id + '-' + chunk.n);
    if (chunk.kill && !existsSync(mark)) {
      writeFileSync(mark, '');
      process.exit(1);
    }
    if (chunk.fail) throw new Error('This chunk never works.');
    const times = (seen.get(mark) ?? 0) + 1;
    seen.set(mark, times);
    return { status: times < (chunk.invocations ?? 1) ? 'unfinished' : 'finished' };
  };`;

const ECHO = 'export const handler = async (event) => ({ status: JSON.stringify(event.error) });';
const BROKEN = "export const handler = async () => { throw new Error('Out of order.'); };";

const assetRoot = createStubAssets({
  'tasks/adapt/plan-run': planning('plan.jsonl'),
  'tasks/adapt/sign-chunk': WORKER,
  'tasks/adapt/find-doubts': `
    export const handler = async (event) => {
      if (event.run_id.startsWith('undoubted')) throw new Error('No witness.');
      return { doubted: 0, not_looked_at: 0 };
    };`,
  'tasks/adapt/adapt-chunk': WORKER,
  'tasks/adapt/plan-expansion': planning('plan.jsonl'),
  'tasks/adapt/expand-chunk': WORKER,
  'tasks/adapt/settle-run': ECHO,
  'tasks/evaluate/plan-evaluation': planning('evaluation.jsonl').replace('Number(event.dataset_id)', '0'),
  'tasks/evaluate/conclude-evaluation': `
    export const handler = async (event) => {
      if (event.run_id.startsWith('unscored')) throw new Error('No judge.');
      return { status: JSON.stringify(event.error) };
    };`,
  'tasks/ingest/plan-ingest': `
    const planned = new Set();
    export const handler = async ({ run_id, dataset_id }) => {
      const waits = dataset_id === 'busy' && !planned.has(run_id);
      planned.add(run_id);
      return { files: 1, wait_seconds: waits ? 1 : 0 };
    };`,
  'tasks/ingest/convert-file': planning('unused'),
  'tasks/ingest/record-rows': `
    const looks = new Map();
    export const handler = async ({ run_id, dataset_id }) => {
      if (dataset_id !== 'busy') return { status: 'recorded', wait_seconds: 0 };
      const times = (looks.get(run_id) ?? 0) + 1;
      looks.set(run_id, times);
      return { status: times < 3 ? 'waiting' : 'appended', wait_seconds: times < 3 ? 1 : 0 };
    };`,
  'tasks/ingest/describe-dataset': BROKEN,
  'tasks/ingest/finish-ingest': ECHO,
});

const cloud = testCloud();
const client = {
  region: 'us-east-1',
  endpoint: cloud.endpoint,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
};
const states = new SFNClient(client);
const objects = new S3Client({ ...client, forcePathStyle: true });
const machineArns: Record<string, string> = {};
let bucket = '';
let runs = 0;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'machines-'));
  const outputs = join(folder, 'outputs.json');
  await promisify(execFile)(
    'npx',
    [
      'cdk',
      'deploy',
      'Pipelines',
      '-c',
      `stage=${STAGE}`,
      '--require-approval',
      'never',
      '-o',
      folder,
      '-O',
      outputs,
    ],
    {
      env: {
        ...process.env,
        ...cloud.environment,
        STAGE,
        ASSET_ROOT: assetRoot,
        MODEL_BASE_URL: cloud.modelUrl,
        MODEL_ID: 'scripted',
      },
    },
  );
  const stacks = JSON.parse(readFileSync(outputs, 'utf8')) as Record<string, Record<string, string>>;
  const values = Object.assign({}, ...Object.values(stacks)) as Record<string, string>;
  bucket = values.BucketName ?? '';
  for (const id of ['adapt', 'evaluate', 'ingest', 'map-chunks']) {
    machineArns[id] =
      values[`${id.replaceAll(/(?:^|-)(\w)/g, (_, c) => c.toUpperCase())}StateMachineArn`] ?? '';
  }
});

interface Outcome {
  readonly runId: string;
  readonly status: string;
  readonly error: string | undefined;
  readonly cause: string | undefined;
  readonly visited: readonly string[];
  /** Answers of the tasks, as text. */
  readonly answers: string;
}

async function plan(runId: string, chunks: readonly Record<string, unknown>[]): Promise<void> {
  await objects.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: `runs/${runId}/plan.jsonl`,
      Body: chunks.map((chunk, n) => JSON.stringify({ run_id: runId, n, ...chunk })).join('\n'),
    }),
  );
}

async function history(executionArn: string): Promise<HistoryEvent[]> {
  const { events } = await states.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
  return events ?? [];
}

async function execute(
  machine: string,
  {
    chunks = [],
    datasetId,
    prefix = 'run',
  }: { chunks?: Record<string, unknown>[]; datasetId?: string; prefix?: string },
): Promise<Outcome> {
  runs += 1;
  const runId = `${prefix}-${process.pid}-${runs}`;
  if (chunks.length > 0) await plan(runId, chunks);
  const input = { run_id: runId, dataset_id: datasetId ?? String(chunks.length), team_id: 'team' };
  const { executionArn = '' } = await states.send(
    new StartExecutionCommand({
      stateMachineArn: machineArns[machine],
      name: runId,
      input: JSON.stringify(input),
    }),
  );
  for (;;) {
    const { status = '', error, cause } = await states.send(new DescribeExecutionCommand({ executionArn }));
    if (status === 'RUNNING') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    const events = await history(executionArn);
    return {
      runId,
      status,
      error,
      cause,
      visited: events.flatMap((event) => event.stateEnteredEventDetails?.name ?? []),
      answers: events.map((event) => event.taskSucceededEventDetails?.output ?? '').join('\n'),
    };
  }
}

/** How the chunks of a run's map ended, in no order. */
async function chunkStatuses(runId: string, stage = 'chunks'): Promise<string[]> {
  const executionArn = `${machineArns['map-chunks']?.replace(':stateMachine:', ':execution:')}:${runId}-${stage}`;
  const { status } = await states.send(new DescribeExecutionCommand({ executionArn }));
  expect(status).toBe('SUCCEEDED');
  const { executions: all = [] } = await states.send(
    new ListExecutionsCommand({ mapRunArn: await mapRunOf(executionArn) }),
  );
  return all.map((execution) => execution.status ?? '').sort();
}

async function mapRunOf(executionArn: string): Promise<string> {
  const { mapRuns = [] } = await states.send(new ListMapRunsCommand({ executionArn }));
  return mapRuns[0]?.mapRunArn ?? '';
}

const WHOLE_RUN = [
  'Read Input',
  'Plan Run',
  'Are Duplicates Dropped?',
  'Calibrate Judge',
  'Find Doubts',
  'Are Calls Batched?',
  'Adapt Chunks',
  'Are Languages Added?',
  'Assemble Run',
  'Evaluate Result',
  'Settle Run',
  'Build Search Index',
  'Run Succeeded',
];

it('adapt invokes the worker for each chunk, again while one is unfinished, then assembles, evaluates and settles', async () => {
  const run = await execute('adapt', { chunks: [{}, { invocations: 3 }, {}] });

  expect(run).toMatchObject({ status: 'SUCCEEDED', visited: WHOLE_RUN });
  expect(run.answers).toContain('"status": "null"');
  expect(await chunkStatuses(run.runId)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
});

it('adapt signs each chunk and looks for duplicates first where the plan says so', async () => {
  const run = await execute('adapt', { chunks: [{}, {}], prefix: 'repeated' });

  const at = WHOLE_RUN.indexOf('Calibrate Judge');
  const visited = WHOLE_RUN.toSpliced(at, 0, 'Sign Chunks', 'Find Duplicates');
  expect(run).toMatchObject({ status: 'SUCCEEDED', visited });
  expect(await chunkStatuses(run.runId, 'signatures')).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  expect(await chunkStatuses(run.runId)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
});

it('adapt adds rows in other languages after the others where the plan says so', async () => {
  const run = await execute('adapt', { chunks: [{}, {}], prefix: 'translated' });

  const at = WHOLE_RUN.indexOf('Assemble Run');
  const added = ['Plan Expansion', 'Is There A Row To Add?', 'Expand Chunks'];
  expect(run).toMatchObject({ status: 'SUCCEEDED', visited: WHOLE_RUN.toSpliced(at, 0, ...added) });
  expect(await chunkStatuses(run.runId, 'expansion')).toEqual(['SUCCEEDED', 'SUCCEEDED']);
});

it('adapt goes on with the chunk of a worker that was killed', async () => {
  const run = await execute('adapt', { chunks: [{ kill: true }, {}] });

  expect(run.status).toBe('SUCCEEDED');
  expect(await chunkStatuses(run.runId)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
});

it('adapt leaves a chunk that never works to the assembler, which counts it', async () => {
  const run = await execute('adapt', { chunks: [{ fail: true }, {}] });

  expect(run).toMatchObject({ status: 'SUCCEEDED', visited: WHOLE_RUN });
  expect(await chunkStatuses(run.runId)).toEqual(['FAILED', 'SUCCEEDED']);
});

it('adapt settles a run whose task failed, with the message of the task, and fails', async () => {
  const run = await execute('adapt', { datasetId: 'unreadable' });

  expect(run).toMatchObject({
    status: 'FAILED',
    cause: 'Row 3 has an "odd" quote.',
    visited: ['Read Input', 'Plan Run', 'Settle Failed Run', 'Run Failed'],
  });
  expect(run.error).toBeDefined();
  expect(run.answers).toContain('odd');
});

it('adapt does not fail where nobody can look for doubts', async () => {
  const run = await execute('adapt', { chunks: [{}], prefix: 'undoubted' });

  expect(run).toMatchObject({ status: 'SUCCEEDED', visited: WHOLE_RUN });
});

it('adapt does not fail for its evaluation', async () => {
  const run = await execute('adapt', { chunks: [{}], prefix: 'unscored' });

  expect(run).toMatchObject({ status: 'SUCCEEDED', visited: WHOLE_RUN });
});

it('evaluate starts no map where nothing is sampled', async () => {
  const run = await execute('evaluate', { chunks: [] });

  expect(run).toMatchObject({
    status: 'SUCCEEDED',
    visited: [
      'Read Input',
      'Plan Evaluation',
      'Is Anything Sampled?',
      'Conclude Evaluation',
      'Evaluation Concluded',
    ],
  });
});

it('evaluate fails when it cannot be concluded', async () => {
  const run = await execute('evaluate', { chunks: [], prefix: 'unscored' });

  expect(run).toMatchObject({ status: 'FAILED', cause: 'No judge.' });
});

it('ingest finishes a dataset without a description', async () => {
  const run = await execute('ingest', { datasetId: '1' });

  expect(run).toMatchObject({
    status: 'SUCCEEDED',
    visited: [
      'Read Input',
      'Plan Ingest',
      'Has Team A Place?',
      'Convert File',
      'Record Rows',
      'Are Rows There?',
      'Describe Dataset',
      'Finish Ingest',
      'Dataset Ingested',
    ],
  });
});

it('ingest waits for a place, and until a busy dataset takes the rows of an append, and ends without a description', async () => {
  const run = await execute('ingest', { datasetId: 'busy' });

  expect(run).toMatchObject({
    status: 'SUCCEEDED',
    visited: [
      'Read Input',
      'Plan Ingest',
      'Has Team A Place?',
      'Wait For Place',
      'Plan Ingest',
      'Has Team A Place?',
      'Convert File',
      'Record Rows',
      'Are Rows There?',
      'Wait For Run',
      'Record Rows',
      'Are Rows There?',
      'Wait For Run',
      'Record Rows',
      'Are Rows There?',
      'Finish Ingest',
      'Dataset Ingested',
    ],
  });
});

it('ingest fails for a file that cannot be read, and tells the dataset why', async () => {
  const run = await execute('ingest', { datasetId: 'unreadable' });

  expect(run).toMatchObject({
    status: 'FAILED',
    visited: [
      'Read Input',
      'Plan Ingest',
      'Has Team A Place?',
      'Convert File',
      'Finish Failed Ingest',
      'Ingest Failed',
    ],
  });
  expect(run.answers).toContain('odd');
});
